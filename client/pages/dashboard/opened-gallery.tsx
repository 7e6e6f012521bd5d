import { useEffect, useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { fileAddress } from '../../http/download.ts';
import { useOnline } from '../../state/use-online.ts';
import { Image } from '../../ui/icon.tsx';
import styles from './opened-files.module.css';
import type { Saving } from './opened-saving.ts';
import { OpenedViewer } from './opened-viewer.tsx';

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
  const online = useOnline();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (online) setFailed(false);
  }, [online]);
  const isShown = !failed && image.fileSize <= SHOWN_AT_ONCE_MAX;
  return (
    <button
      type="button"
      className={styles.thumbnail}
      aria-label={`Enlarge ${image.fileName}`}
      onClick={onOpen}
    >
      {isShown ? (
        <img
          src={fileAddress(image)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(true)}
        />
      ) : (
        <span className={styles.unseen}>
          <Image size={24} aria-hidden="true" />
          {image.fileName}
        </span>
      )}
    </button>
  );
}
