import { useEffect, useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { fileAddress, isWithinReach } from '../../http/download.ts';
import { useOnline } from '../../state/use-online.ts';
import { arrowTarget } from '../../ui/arrow-keys.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ArrowLeft, ArrowRight, Download } from '../../ui/icon.tsx';
import { SavingFailure } from './opened-failure.tsx';
import styles from './opened-files.module.css';
import type { Saving } from './opened-saving.ts';

const AGAIN_MS = 10_000;

interface OpenedViewerProps {
  images: readonly CapsuleFile[];
  at: number;
  saving: Saving;
  onMove: (at: number) => void;
  onClose: () => void;
}

/** One image as large as the window allows; arrow keys lead to the next. */
export function OpenedViewer({ images, at, saving, onMove, onClose }: OpenedViewerProps) {
  const image = images[at];
  const online = useOnline();
  const [failed, setFailed] = useState<{ fileId: string; isCutOff: boolean } | null>(null);
  useEffect(() => {
    if (online) setFailed(null);
  }, [online]);
  useEffect(() => {
    if (!failed?.isCutOff) return;
    // A server that starts anew, a network without a way out: nobody says when that is over.
    const timer = setTimeout(() => navigator.onLine && setFailed(null), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [failed]);

  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      const pressed = { key: event.key, currentTarget: document.documentElement };
      const next = arrowTarget(pressed, at, images.length, 'horizontal');
      if (next === null) return;
      event.preventDefault();
      onMove(next);
    };
    window.addEventListener('keydown', move);
    return () => window.removeEventListener('keydown', move);
  }, [at, images.length, onMove]);

  const noteFailure = async (file: CapsuleFile) => {
    const isCutOff = !(await isWithinReach(file));
    setFailed({ fileId: file.fileId, isCutOff });
  };

  if (!image) return null;
  const step = (by: 1 | -1) => onMove((at + by + images.length) % images.length);
  return (
    <Dialog
      open
      size="full"
      title={image.fileName}
      onClose={onClose}
      footer={
        <div className={styles.tools}>
          {images.length > 1 && (
            <>
              <Button
                className={styles.step}
                icon={<ArrowLeft size={18} aria-hidden="true" />}
                aria-label="Previous image"
                onClick={() => step(-1)}
              >
                Previous
              </Button>
              <p className={styles.place} role="status">
                <span className="visually-hidden">Image </span>
                {at + 1} of {images.length}
              </p>
              <Button
                className={styles.step}
                icon={<ArrowRight size={18} aria-hidden="true" />}
                aria-label="Next image"
                onClick={() => step(1)}
              >
                Next
              </Button>
            </>
          )}
          <Button
            className={styles.step}
            icon={<Download size={18} aria-hidden="true" />}
            aria-label={`Download ${image.fileName}`}
            busy={saving.busy.includes(image.fileId)}
            onClick={() => saving.save(image)}
          >
            Download
          </Button>
        </div>
      }
    >
      <SavingFailure saving={saving} />
      <div className={styles.viewed}>
        {failed?.fileId === image.fileId ? (
          <p role="status">
            {failed.isCutOff
              ? 'No connection. This image can be seen once you are online again.'
              : 'This image cannot be shown here. Download it to see it.'}
          </p>
        ) : (
          <img
            key={image.fileId}
            src={fileAddress(image)}
            alt={image.fileName}
            onError={() => void noteFailure(image)}
          />
        )}
      </div>
    </Dialog>
  );
}
