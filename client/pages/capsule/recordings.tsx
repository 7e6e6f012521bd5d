import { type SyntheticEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { isVoiceMemo } from '../../../shared/file-types.ts';
import { FILE_DAMAGED } from '../../../shared/sentences.ts';
import { askFileState, type FileState, fileAddress, stateOf } from '../../api/download.ts';
import { type OpenedFile, readSoundFile } from '../../hooks/shown-files.ts';
import { useAddress } from '../../hooks/use-address.ts';
import { FileName } from '../file-name.tsx';
import { readSound, type Sound } from '../sound.ts';
import { useAgain } from './again.ts';
import styles from './files.module.css';
import { SoundPlayer } from './sound-player.tsx';

/** In megabytes. Voice memos are smaller; longer sounds would take too much memory to draw. */
const DRAWN_MAX = 8;

interface OpenedRecordingProps {
  file: OpenedFile;
  /** What is said of a sound, instead of the file's name. */
  title?: string;
}

/** A video, or a sound: capsules hold sounds as videos without a picture. */
export function OpenedRecording({ file, title = file.fileName }: OpenedRecordingProps) {
  const [isSound, setSound] = useState(() => isVoiceMemo(file.fileName));
  if (isSound && file.fileSize <= DRAWN_MAX) return <OpenedSound file={file} title={title} />;
  return <OpenedVideo video={file} isSound={isSound} onSound={() => setSound(true)} />;
}

interface Heard {
  bytes: Blob;
  /** Null where the browser cannot decode it, though it may be able to play it. */
  sound: Sound | null;
}

/**
 * A sound, fetched whole: its waveform and its player are made of the same bytes. That waits until
 * somebody comes near it: fifty people's two minutes, decoded at once, are over a gigabyte.
 */
function OpenedSound({ file, title }: Required<OpenedRecordingProps>) {
  const { fileId, capsuleId } = file;
  const [isNear, setNear] = useState(false);
  const watch = useCallback((player: HTMLElement | null) => {
    if (!player) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      // A window's height ahead, in the dialog that scrolls.
      { scrollMargin: '100%' },
    );
    observer.observe(player);
    return () => observer.disconnect();
  }, []);
  const [heard, setHeard] = useState<Heard | null>(null);
  // A new object for each failure lets it be fetched once more.
  const [failure, setFailure] = useState<{ state: FileState } | null>(null);
  const [tries, setTries] = useState(0);
  useAgain(failure?.state === 'away' ? failure : null, () => setTries((count) => count + 1));
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each try fetches it again.
  useEffect(() => {
    if (!isNear) return;
    const gone = new AbortController();
    const listen = async () => {
      const bytes = await readSoundFile({ fileId, capsuleId }, gone.signal);
      const sound = await readSound(await bytes.arrayBuffer()).catch(() => null);
      gone.signal.throwIfAborted();
      setHeard({ bytes, sound });
      setFailure(null);
    };
    listen().catch((error) => {
      if (!gone.signal.aborted) setFailure({ state: stateOf(error) });
    });
    return () => gone.abort();
  }, [fileId, capsuleId, tries, isNear]);
  const address = useAddress(heard?.bytes);

  if (failure?.state === 'there') {
    return (
      <p className="quiet small breaks">{title} · Can't be played here. Download it to listen.</p>
    );
  }
  return (
    <SoundPlayer
      ref={watch}
      title={title}
      address={address}
      sound={heard?.sound ?? null}
      trouble={(failure && TROUBLE[failure.state]) ?? ''}
      onError={() => setFailure({ state: 'there' })}
    />
  );
}

const TROUBLE: Partial<Record<FileState, string>> = {
  away: "No connection. You can listen once you're online again.",
  damaged: FILE_DAMAGED,
};

/** After this many failed loads a video that was cut off counts as one that cannot be played. */
const TRIES_MAX = 3;

interface OpenedVideoProps {
  video: CapsuleFile;
  isSound: boolean;
  /** Called when it turns out to have no picture. */
  onSound: () => void;
}

/**
 * Streams a video; only its beginning is fetched until somebody starts it. When the connection
 * breaks off, the video goes on from the same moment once the connection is back. Videos that
 * people film for each other have no captions, so there is no track to offer.
 */
function OpenedVideo({ video, isSound, onSound }: OpenedVideoProps) {
  // A new object for each failure lets it be loaded once more.
  const [failure, setFailure] = useState<{ state: FileState } | null>(null);
  const player = useRef<HTMLMediaElement>(null);
  const stoppedAt = useRef(0);
  const vainTries = useRef(0);
  useAgain(failure?.state === 'away' ? failure : null, () => player.current?.load());

  useEffect(() => {
    // React passes on no event of a player that it has not yet put into the page.
    const { error, readyState = 0 } = player.current ?? {};
    if (error || readyState > 0) player.current?.load();
  }, []);

  const onError = async (element: HTMLMediaElement) => {
    const { error, currentTime } = element;
    if (currentTime > 0) stoppedAt.current = currentTime;
    // Browsers report a file that they could not fetch at all as an unsupported format.
    const asked = await askFileState(video);
    const isLine = asked === 'there' && error?.code === MediaError.MEDIA_ERR_NETWORK;
    const state = isLine ? 'away' : asked;
    // The video was loaded again meanwhile.
    if (!element.error) return;
    // A file that was playable before the cut most likely still is: try again first.
    const isDoubtful = failure?.state === 'away' && vainTries.current < TRIES_MAX;
    vainTries.current = state === 'there' ? vainTries.current + 1 : 0;
    setFailure({ state: state === 'there' && isDoubtful ? 'away' : state });
  };

  if (failure?.state === 'there') {
    return (
      <p className="quiet small breaks">
        {video.fileName} can't be played here. Download it to watch it.
      </p>
    );
  }
  const playing = {
    ref: (element: HTMLMediaElement | null) => {
      player.current = element;
    },
    controls: true,
    preload: 'metadata',
    src: fileAddress(video),
    'aria-label': video.fileName,
    onLoadedMetadata: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => {
      setFailure(null);
      if (stoppedAt.current > 0) currentTarget.currentTime = stoppedAt.current;
      if (currentTarget instanceof HTMLVideoElement && currentTarget.videoWidth === 0) onSound();
    },
    onError: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => void onError(currentTarget),
  };
  return (
    <figure className={`stack gap-4 ${styles.video}`}>
      {isSound ? (
        <audio className="wide" {...playing} />
      ) : (
        <video className="wide" {...playing} playsInline />
      )}
      <figcaption className="quiet small breaks">
        <FileName>{video.fileName}</FileName>
        <span role="status">
          {failure?.state === 'away' &&
            ` · No connection. You can ${isSound ? 'listen' : 'watch it'} once you're online again.`}
          {failure?.state === 'damaged' && ` · ${FILE_DAMAGED}`}
        </span>
      </figcaption>
    </figure>
  );
}
