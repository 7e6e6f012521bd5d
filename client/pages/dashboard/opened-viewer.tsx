import { useEffect } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { arrowTarget } from '../../ui/arrow-keys.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ArrowLeft, ArrowRight, Download } from '../../ui/icon.tsx';
import { SavingFailure } from './opened-failure.tsx';
import styles from './opened-files.module.css';
import type { Saving } from './opened-saving.ts';
import { useShownImage } from './use-shown-image.ts';

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
        <ViewedImage image={image} />
      </div>
    </Dialog>
  );
}

function ViewedImage({ image: file }: { image: CapsuleFile }) {
  const { failure, key, image } = useShownImage(file);
  return (
    <>
      <p role="status" hidden={failure === null}>
        {failure &&
          (failure.isCutOff
            ? 'No connection. This image can be seen once you are online again.'
            : 'This image cannot be shown here. Download it to see it.')}
      </p>
      <img key={key} {...image} alt={file.fileName} hidden={failure !== null} />
    </>
  );
}
