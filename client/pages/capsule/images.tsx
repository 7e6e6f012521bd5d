import { type SyntheticEvent, useEffect, useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { FILE_DAMAGED } from '../../../shared/sentences.ts';
import { askFileState, type FileState, fileAddress } from '../../api/download.ts';
import { arrowTarget } from '../../components/arrow-keys.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ArrowLeft, ArrowRight, Download, Image } from '../../components/icon.tsx';
import styles from './files.module.css';
import { type Saving, SavingFailure } from './saving.tsx';

/** No event tells when a restarted server or a network without internet is back. */
export const AGAIN_MS = 10_000;

/** In megabytes. A larger image is fetched only when the person opens it. */
const SHOWN_AT_ONCE_MAX = 12;

interface OpenedGalleryProps {
  images: readonly CapsuleFile[];
  saving: Saving;
}

/** Thumbnails of all images; each opens in the viewer. */
export function OpenedGallery({ images, saving }: OpenedGalleryProps) {
  const [viewed, setViewed] = useState<number | null>(null);
  return (
    <>
      <ul className={styles.gallery}>
        {images.map((image, index) => (
          <li key={image.fileId}>
            <Thumbnail image={image} onOpen={() => setViewed(index)} />
          </li>
        ))}
      </ul>
      {viewed !== null && (
        <OpenedViewer
          images={images}
          at={viewed}
          saving={saving}
          onMove={setViewed}
          onClose={() => setViewed(null)}
        />
      )}
    </>
  );
}

function Thumbnail({ image, onOpen }: { image: CapsuleFile; onOpen: () => void }) {
  const { failure, key, image: shown } = useShownImage(image);
  const mayShow = image.fileSize <= SHOWN_AT_ONCE_MAX;
  return (
    <button
      type="button"
      className={styles.thumbnail}
      aria-label={`Enlarge ${image.fileName}`}
      onClick={onOpen}
    >
      {mayShow && (
        <img
          key={key}
          {...shown}
          alt=""
          // A hidden image with lazy loading would never be fetched again.
          loading={failure ? 'eager' : 'lazy'}
          decoding="async"
          hidden={failure !== null}
        />
      )}
      {(!mayShow || failure !== null) && (
        <span className={styles.unseen}>
          <Image size={24} aria-hidden="true" />
          <span className={styles.unseenName}>{image.fileName}</span>
        </span>
      )}
    </button>
  );
}

interface OpenedViewerProps {
  images: readonly CapsuleFile[];
  at: number;
  saving: Saving;
  onMove: (at: number) => void;
  onClose: () => void;
}

/** One image as large as the window allows; the arrow keys lead to the next. */
function OpenedViewer({ images, at, saving, onMove, onClose }: OpenedViewerProps) {
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
        {failure && IMAGE_FAILURE_TEXTS[failure]}
      </p>
      <img key={key} {...image} alt={file.fileName} hidden={failure !== null} />
    </>
  );
}

const IMAGE_FAILURE_TEXTS: Record<FileState, string> = {
  there: "We can't show this image here. Download it to see it.",
  away: "No connection. You can see this image once you're online again.",
  damaged: FILE_DAMAGED,
};

/**
 * Loads an image and says why it cannot be shown. A download that the connection cut off is
 * retried by itself, and the failure stays until the image is there.
 */
function useShownImage({ fileId }: Pick<CapsuleFile, 'fileId'>) {
  // A new object for each failure restarts the effect below.
  const [state, setState] = useState<{ of: string; failure: FileState | null }>({
    of: fileId,
    failure: null,
  });
  const [tries, setTries] = useState(0);
  const tell = (failure: FileState | null) => setState({ of: fileId, failure });
  useEffect(() => {
    if (state.failure !== 'away') return;
    const again = () => setTries((count) => count + 1);
    window.addEventListener('online', again);
    const timer = setTimeout(again, AGAIN_MS);
    return () => {
      window.removeEventListener('online', again);
      clearTimeout(timer);
    };
  }, [state]);
  return {
    /** Null while the image is shown or loading. */
    failure: state.of === fileId ? state.failure : null,
    /** Props of the `img`. A new key for each try makes the browser load it again. */
    key: `${fileId} ${tries}`,
    image: {
      src: fileAddress({ fileId }),
      onLoad: () => tell(null),
      onError: ({ currentTarget }: SyntheticEvent) =>
        void askFileState({ fileId }).then((failure) => {
          // A later try may have replaced this element.
          if (currentTarget.isConnected) tell(failure);
        }),
    },
  };
}
