import { type SyntheticEvent, useEffect, useState } from 'react';
import type { RenditionSize } from '../../../shared/api/capsules.ts';
import { fileAddress, renditionAddress } from '../../api/download.ts';
import { arrowTarget } from '../../components/arrow-keys.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ArrowLeft, ArrowRight, Download, Image } from '../../components/icon.tsx';
import { readShown } from '../../db/shown-files.ts';
import type { ShownFileRow } from '../../db/tables.ts';
import { type OpenedFile, saveShownImage } from '../../hooks/shown-files.ts';
import { useAddress } from '../../hooks/use-address.ts';
import styles from './files.module.css';
import { NotLoaded, useTries } from './not-loaded.tsx';
import type { Saving } from './saving.ts';

/** In megabytes. A larger image is fetched whole only when the person opens it. */
const SHOWN_AT_ONCE_MAX = 12;

interface OpenedGalleryProps {
  images: readonly OpenedFile[];
  saving: Saving;
}

/** Thumbnails of all images; each opens in the viewer. */
export function OpenedGallery({ images, saving }: OpenedGalleryProps) {
  const [viewed, setViewed] = useState<number | null>(null);
  const tries = useTries();
  return (
    <>
      <ul className={`stack gap-8 ${styles.gallery}`} key={tries.key}>
        {images.map((image, index) => (
          <li key={image.fileId}>
            <Thumbnail
              image={image}
              size={index === 0 ? 'large' : 'small'}
              onFail={tries.fail}
              onOpen={() => setViewed(index)}
            />
          </li>
        ))}
      </ul>
      <NotLoaded tries={tries} text="We couldn't load all photos." />
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
  onFail: () => void;
  onOpen: () => void;
}

function Thumbnail({ image, size, onFail, onOpen }: ThumbnailProps) {
  const rendition = renditionAddress(image, size);
  const addresses = rendition === null ? [] : [rendition];
  if (image.fileSize <= SHOWN_AT_ONCE_MAX) addresses.push(fileAddress(image));
  const [isUnseen, setUnseen] = useState(addresses.length === 0);
  const shown = useImage(image, addresses, () => {
    setUnseen(true);
    onFail();
  });
  return (
    <button
      type="button"
      className={`stack wide sunken outlined ${styles.thumbnail}`}
      aria-label={`Enlarge ${image.fileName}`}
      onClick={onOpen}
    >
      {isUnseen ? (
        <span className={`stack gap-4 centred quiet small breaks ${styles.unseen}`}>
          <Image size={24} />
          <span className="two-lines">{image.fileName}</span>
        </span>
      ) : (
        <img {...shown} alt="" loading="lazy" decoding="async" />
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
      const next = arrowTarget(event, at, images.length, 'horizontal');
      if (next === null) return;
      event.preventDefault();
      onMove(next);
    };
    document.documentElement.addEventListener('keydown', move);
    return () => document.documentElement.removeEventListener('keydown', move);
  }, [at, images.length, onMove]);

  if (!image) return null;
  const step = (by: 1 | -1) => onMove((at + by + images.length) % images.length);
  return (
    <Dialog
      size="full"
      title={image.fileName}
      onClose={onClose}
      footer={
        <div className="row middle gap-12 grow">
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
      <div className={`centre ${styles.viewed}`}>
        <ViewedImage key={image.fileId} image={image} />
      </div>
    </Dialog>
  );
}

function ViewedImage({ image }: { image: OpenedFile }) {
  const tries = useTries();
  return (
    <>
      {!tries.hasFailed && <WholeImage key={tries.key} image={image} onFail={tries.fail} />}
      <NotLoaded tries={tries} />
    </>
  );
}

/** A rendition at once, and the file itself in its place as soon as it is here. */
function WholeImage({ image, onFail }: { image: OpenedFile; onFail: () => void }) {
  const [rendition, setRendition] = useState(() => renditionAddress(image, 'large'));
  const [hasLoaded, setLoaded] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const { onLoad, ...whole } = useImage(image, [fileAddress(image)], () => hasLoaded || onFail());
  return (
    <>
      {rendition && !isWhole && (
        <img
          src={rendition}
          alt={image.fileName}
          onLoad={(event) => {
            setLoaded(true);
            onLoad(event);
          }}
          onError={() => setRendition(null)}
        />
      )}
      {(hasLoaded || !rendition) && (
        <img
          {...whole}
          alt={image.fileName}
          // Else the window is empty while the browser decodes it.
          decoding="sync"
          hidden={rendition !== null && !isWhole}
          onLoad={(event) => {
            setWhole(true);
            onLoad(event);
          }}
        />
      )}
    </>
  );
}

/** Browsers go on loading an image that has left the page, at the cost of the next one. */
function stopWhenGone(image: HTMLImageElement) {
  const stop = () => {
    if (!image.isConnected && !image.complete) image.removeAttribute('src');
  };
  // Refs are cleaned up before the image leaves, and in development once although it stays.
  return () => queueMicrotask(stop);
}

/**
 * Props of an image: the next of its addresses where one fails, at last what this device has of it.
 * @param onFail called where there is nothing to show
 */
function useImage(file: OpenedFile, addresses: readonly string[], onFail: () => void) {
  const [at, setAt] = useState(0);
  const [saved, setSaved] = useState<ShownFileRow>();
  const copy = useAddress(saved?.bytes, saved?.type);
  return {
    ref: stopWhenGone,
    src: copy ?? addresses[at],
    onLoad: ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => {
      if (!saved) void saveShownImage(file, currentTarget);
    },
    onError: async ({ currentTarget }: SyntheticEvent) => {
      if (at + 1 < addresses.length) return setAt(at + 1);
      const found = saved ? undefined : await readShown(file.fileId);
      if (!currentTarget.isConnected) return;
      if (found) setSaved(found);
      else onFail();
    },
  };
}
