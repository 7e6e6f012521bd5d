import { useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { Image } from '../../ui/icon.tsx';
import styles from './opened-files.module.css';
import type { Saving } from './opened-saving.ts';
import { OpenedViewer } from './opened-viewer.tsx';
import { useShownImage } from './use-shown-image.ts';

/** Megabytes. A larger image is fetched only by who wants to see it. */
const SHOWN_AT_ONCE_MAX = 12;

interface OpenedGalleryProps {
  images: readonly CapsuleFile[];
  saving: Saving;
}

/** The images at a glance; each can be looked at closely. */
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
          // What is hidden would never be lazy enough to come.
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
