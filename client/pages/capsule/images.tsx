import { type SyntheticEvent, useEffect, useState } from 'react';
import type { RenditionSize } from '../../../shared/api/capsules.ts';
import { FILE_DAMAGED } from '../../../shared/sentences.ts';
import { askFileState, type FileState, fileAddress, renditionAddress } from '../../api/download.ts';
import { arrowTarget } from '../../components/arrow-keys.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ArrowLeft, ArrowRight, Download, Image } from '../../components/icon.tsx';
import { type OpenedFile, saveShownImage, useShownImage } from '../../hooks/shown-files.ts';
import { FileName } from '../file-name.tsx';
import { useAgain } from './again.ts';
import styles from './files.module.css';
import { type Saving, SavingFailure } from './saving.tsx';

/** In megabytes. A larger image is fetched whole only when the person opens it. */
const SHOWN_AT_ONCE_MAX = 12;

interface OpenedGalleryProps {
  images: readonly OpenedFile[];
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
            <Thumbnail
              image={image}
              size={index === 0 ? 'large' : 'small'}
              onOpen={() => setViewed(index)}
            />
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

interface ThumbnailProps {
  image: OpenedFile;
  size: RenditionSize;
  onOpen: () => void;
}

function Thumbnail({ image, size, onOpen }: ThumbnailProps) {
  const rendition = renditionAddress(image, size);
  const addresses = rendition === null ? [] : [rendition];
  if (image.fileSize <= SHOWN_AT_ONCE_MAX) addresses.push(fileAddress(image));
  const { failure, key, copy, image: shown } = useImage(image, addresses);
  const mayShow = addresses.length > 0;
  return (
    <button
      type="button"
      className={`stack wide sunken ${styles.thumbnail}`}
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
      {copy && <img src={copy} alt="" />}
      {(!mayShow || failure !== null) && !copy && (
        <span className={`quiet small breaks ${styles.unseen}`}>
          <Image size={24} />
          <span className="two-lines">
            <FileName>{image.fileName}</FileName>
          </span>
        </span>
      )}
    </button>
  );
}

interface OpenedViewerProps {
  images: readonly OpenedFile[];
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
      title={<FileName>{image.fileName}</FileName>}
      onClose={onClose}
      footer={
        <div className={`row middle gap-12 ${styles.tools}`}>
          {images.length > 1 && (
            <>
              <Button
                className={styles.step}
                icon={ArrowLeft}
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
                icon={ArrowRight}
                aria-label="Next image"
                onClick={() => step(1)}
              >
                Next
              </Button>
            </>
          )}
          <Button
            className={`at-end ${styles.step}`}
            icon={Download}
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
      <div className={`centre ${styles.viewed}`}>
        <ViewedImage key={image.fileId} image={image} />
      </div>
    </Dialog>
  );
}

/** A rendition at once, and the file itself in its place as soon as it is here. */
function ViewedImage({ image: file }: { image: OpenedFile }) {
  const [rendition, setRendition] = useState(() => renditionAddress(file, 'large'));
  const [hasLoaded, setLoaded] = useState(false);
  const mayFollow = rendition === null || hasLoaded;
  const { isShown, failure, key, copy, image } = useImage(
    file,
    mayFollow ? [fileAddress(file)] : [],
  );
  const isRendition = rendition !== null && !isShown;
  return (
    <>
      <p role="status" hidden={failure === null || isRendition || copy !== undefined}>
        {failure && !isRendition && !copy && IMAGE_FAILURE_TEXTS[failure]}
      </p>
      {isRendition && (
        <img
          src={rendition}
          alt={file.fileName}
          onLoad={({ currentTarget }) => {
            setLoaded(true);
            void saveShownImage(file, currentTarget);
          }}
          onError={() => setRendition(null)}
        />
      )}
      <img
        key={key}
        {...image}
        alt={file.fileName}
        // Else the window is empty while the browser decodes it.
        decoding="sync"
        hidden={failure !== null || isRendition}
      />
      {copy && !isRendition && <img src={copy} alt={file.fileName} />}
    </>
  );
}

const IMAGE_FAILURE_TEXTS: Record<FileState, string> = {
  there: "We can't show this image here. Download it to see it.",
  away: "No connection. You can see this image once you're online again.",
  damaged: FILE_DAMAGED,
};

/** Browsers go on loading an image that has left the page, at the cost of the next one. */
function stopWhenGone(image: HTMLImageElement) {
  const stop = () => {
    if (!image.isConnected && !image.complete) image.removeAttribute('src');
  };
  // Refs are cleaned up before the image leaves, and in development once although it stays.
  return () => queueMicrotask(stop);
}

/**
 * Loads an image and says why it cannot be shown. A download that the connection cut off is
 * retried by itself, and the failure stays until the image is there. @param addresses where the
 * image is, the next one for when the file is there and the one before cannot be shown
 */
function useImage(file: OpenedFile, addresses: readonly string[]) {
  // A new object for each failure lets it be tried once more.
  const [state, setState] = useState<{ failure: FileState | null; isShown: boolean }>({
    failure: null,
    isShown: false,
  });
  const [at, setAt] = useState(0);
  const [tries, setTries] = useState(0);
  const copy = useShownImage(file.fileId, state.failure === 'away');
  useAgain(state.failure === 'away' ? state : null, () => setTries((count) => count + 1));
  return {
    isShown: state.isShown,
    /** Null while the image is shown or loading. */
    failure: state.failure,
    /** What this device has of it, while the server can't be reached. */
    copy,
    /** Props of the `img`. A new key for each try makes the browser load it again. */
    key: tries,
    image: {
      ref: stopWhenGone,
      src: addresses[at],
      onLoad: ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => {
        setState({ failure: null, isShown: true });
        void saveShownImage(file, currentTarget);
      },
      onError: ({ currentTarget }: SyntheticEvent) =>
        void askFileState(file).then((failure) => {
          // A later try may have replaced this element.
          if (!currentTarget.isConnected) return;
          if (failure === 'there' && at + 1 < addresses.length) setAt(at + 1);
          else setState({ failure, isShown: false });
        }),
    },
  };
}
