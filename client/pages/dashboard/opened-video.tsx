import { useEffect, useRef, useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { fileAddress, isWithinReach } from '../../http/download.ts';
import styles from './opened-files.module.css';
import { AGAIN_MS } from './use-shown-image.ts';

/** So often a file that was cut off may fail to load before it counts as one that cannot be played. */
const TRIES_MAX = 3;

/**
 * Plays as it arrives; of a video that nobody starts only the beginning is fetched. A connection
 * that breaks off is no fault of the file: once it is back, it goes on from where it was.
 * What people film for each other has no captions, so there is no track to offer.
 */
export function OpenedVideo({ video }: { video: CapsuleFile }) {
  // Another one each time: each is waited for anew.
  const [failure, setFailure] = useState<{ isCutOff: boolean } | null>(null);
  const player = useRef<HTMLVideoElement>(null);
  const stoppedAt = useRef(0);
  const vainTries = useRef(0);
  useEffect(() => {
    if (!failure?.isCutOff) return;
    const goOn = () => player.current?.load();
    window.addEventListener('online', goOn);
    // A server that starts anew, a network without a way out: nobody says when that is over.
    const timer = setTimeout(() => navigator.onLine && goOn(), AGAIN_MS);
    return () => {
      window.removeEventListener('online', goOn);
      clearTimeout(timer);
    };
  }, [failure]);

  const onError = async (element: HTMLVideoElement) => {
    const { error, currentTime } = element;
    if (currentTime > 0) stoppedAt.current = currentTime;
    // Of a file that does not even begin to come, browsers say that it is of no kind they know.
    const isLine = error?.code === MediaError.MEDIA_ERR_NETWORK || !(await isWithinReach(video));
    // It has been asked for again meanwhile.
    if (!element.error) return;
    // What has just been cut off does not become another file: the line is not back yet.
    const isDoubtful = failure?.isCutOff && vainTries.current < TRIES_MAX;
    vainTries.current = isLine ? 0 : vainTries.current + 1;
    setFailure({ isCutOff: isLine || isDoubtful === true });
  };

  if (failure && !failure.isCutOff) {
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
          setFailure(null);
          if (stoppedAt.current > 0) currentTarget.currentTime = stoppedAt.current;
        }}
        onError={({ currentTarget }) => void onError(currentTarget)}
      />
      <figcaption>
        {video.fileName}
        <span role="status">
          {failure?.isCutOff && ' · No connection. It can be watched once you are online again.'}
        </span>
      </figcaption>
    </figure>
  );
}
