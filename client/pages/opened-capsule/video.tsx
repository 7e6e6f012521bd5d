import { useEffect, useRef, useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { fileAddress, isWithinReach } from '../../api/download.ts';
import styles from './files.module.css';

/** No event tells when a restarted server or a network without internet is back. */
export const AGAIN_MS = 10_000;

/** After this many failed loads a video that was cut off counts as one that cannot be played. */
const TRIES_MAX = 3;

/**
 * Streams a video; only its beginning is fetched until somebody starts it. When the connection
 * breaks off, the video goes on from the same moment once the connection is back. Videos that
 * people film for each other have no captions, so there is no track to offer.
 */
export function OpenedVideo({ video }: { video: CapsuleFile }) {
  // A new object for each failure restarts the effect below.
  const [failure, setFailure] = useState<{ isCutOff: boolean } | null>(null);
  const player = useRef<HTMLVideoElement>(null);
  const stoppedAt = useRef(0);
  const vainTries = useRef(0);
  useEffect(() => {
    if (!failure?.isCutOff) return;
    const goOn = () => player.current?.load();
    window.addEventListener('online', goOn);
    const timer = setTimeout(() => navigator.onLine && goOn(), AGAIN_MS);
    return () => {
      window.removeEventListener('online', goOn);
      clearTimeout(timer);
    };
  }, [failure]);

  const onError = async (element: HTMLVideoElement) => {
    const { error, currentTime } = element;
    if (currentTime > 0) stoppedAt.current = currentTime;
    // Browsers report a file that they could not fetch at all as an unsupported format.
    const isLine = error?.code === MediaError.MEDIA_ERR_NETWORK || !(await isWithinReach(video));
    // The video was loaded again meanwhile.
    if (!element.error) return;
    // A file that was playable before the cut most likely still is: try again first.
    const isDoubtful = failure?.isCutOff && vainTries.current < TRIES_MAX;
    vainTries.current = isLine ? 0 : vainTries.current + 1;
    setFailure({ isCutOff: isLine || isDoubtful === true });
  };

  if (failure && !failure.isCutOff) {
    return (
      <p className={styles.names}>
        {video.fileName} can't be played here. Download it to watch it.
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
          {failure?.isCutOff && " · No connection. You can watch it once you're online again."}
        </span>
      </figcaption>
    </figure>
  );
}
