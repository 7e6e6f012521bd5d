import { useEffect, useRef, useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { fileAddress } from '../../http/download.ts';
import styles from './opened-files.module.css';

/**
 * Plays as it arrives; of a video that nobody starts only the beginning is fetched. A connection
 * that breaks off is no fault of the file: once it is back, it goes on from where it was.
 * What people film for each other has no captions, so there is no track to offer.
 */
export function OpenedVideo({ video }: { video: CapsuleFile }) {
  const [failure, setFailure] = useState<'cut-off' | 'unplayable' | null>(null);
  const player = useRef<HTMLVideoElement>(null);
  const stoppedAt = useRef(0);
  useEffect(() => {
    if (failure !== 'cut-off') return;
    const goOn = () => {
      setFailure(null);
      player.current?.load();
    };
    window.addEventListener('online', goOn);
    return () => window.removeEventListener('online', goOn);
  }, [failure]);

  if (failure === 'unplayable') {
    return (
      <p className={styles.names}>
        {video.fileName} cannot be played here. Download it to watch it.
      </p>
    );
  }
  return (
    <figure className={styles.video}>
      <video
        ref={player}
        controls
        playsInline
        preload="metadata"
        src={fileAddress(video)}
        aria-label={video.fileName}
        onLoadedMetadata={({ currentTarget }) => {
          if (stoppedAt.current > 0) currentTarget.currentTime = stoppedAt.current;
        }}
        onError={({ currentTarget }) => {
          stoppedAt.current = currentTarget.currentTime;
          const isCutOff = currentTarget.error?.code === MediaError.MEDIA_ERR_NETWORK;
          setFailure(isCutOff || !navigator.onLine ? 'cut-off' : 'unplayable');
        }}
      />
      <figcaption>
        {video.fileName}
        <span role="status">
          {failure === 'cut-off' &&
            ' · No connection. It can be watched once you are online again.'}
        </span>
      </figcaption>
    </figure>
  );
}
