import { useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { fileAddress } from '../../http/download.ts';
import styles from './opened-files.module.css';

/**
 * Plays as it arrives; of a video that nobody starts only the beginning is fetched.
 * What people film for each other has no captions, so there is no track to offer.
 */
export function OpenedVideo({ video }: { video: CapsuleFile }) {
  const [isUnplayable, setUnplayable] = useState(false);
  if (isUnplayable) {
    return (
      <p className={styles.names}>
        {video.fileName} cannot be played here. Download it to watch it.
      </p>
    );
  }
  return (
    <figure className={styles.video}>
      <video
        controls
        playsInline
        preload="metadata"
        src={fileAddress(video)}
        aria-label={video.fileName}
        onError={() => setUnplayable(true)}
      />
      <figcaption>{video.fileName}</figcaption>
    </figure>
  );
}
