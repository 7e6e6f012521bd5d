import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { fileSizeText } from '../../../shared/file-types.ts';
import { FILE_DAMAGED } from '../../../shared/sentences.ts';
import { askFileState, type FileState, fileAddress } from '../../api/download.ts';
import { Button } from '../../components/button.tsx';
import { Download, ExternalLink } from '../../components/icon.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { Waveform } from '../../components/waveform.tsx';
import { FileIcon } from '../file-icon.tsx';
import { readSound, type Sound } from '../sound.ts';
import styles from './files.module.css';
import { AGAIN_MS, OpenedGallery } from './images.tsx';
import { type Saving, SavingFailure, useSaving } from './saving.tsx';

/** The files of an opened capsule, to look at and to download. */
export function OpenedFiles({ files }: { files: readonly CapsuleFile[] }) {
  const saving = useSaving();
  const { progress } = saving;
  const of = (kind: string) => files.filter(({ fileType }) => fileType.startsWith(kind));
  const images = of('image/');
  const papers = of('application/pdf');
  return (
    <section className={styles.section}>
      <h3 className="visually-hidden">Files</h3>
      {images.length > 0 && <OpenedGallery images={images} saving={saving} />}
      {of('video/').map((video) => (
        <OpenedVideo key={video.fileId} video={video} />
      ))}
      {papers.length > 0 && <Papers papers={papers} onOpen={saving.open} />}
      <SavingFailure saving={saving} />
      <details className={styles.all}>
        <summary>All files ({files.length})</summary>
        <FileList files={files} saving={saving} />
      </details>
      {progress && (
        <ProgressBar label="Saving files" percent={(progress.done / progress.total) * 100} />
      )}
      {files.length > 1 && (
        <Button
          className={styles.saveAll}
          icon={<Download size={18} aria-hidden="true" />}
          busy={progress !== null}
          onClick={() => saving.saveAll(files)}
        >
          Download all
        </Button>
      )}
    </section>
  );
}

interface PapersProps {
  papers: readonly CapsuleFile[];
  onOpen: (file: CapsuleFile) => void;
}

/** The PDFs, each to be opened in a new tab. */
function Papers({ papers, onOpen }: PapersProps) {
  return (
    <ul className={styles.papers}>
      {papers.map((file) => (
        <li key={file.fileId} className={styles.file}>
          <FileIcon fileName={file.fileName} />
          <span className={styles.name}>{file.fileName}</span>
          <span className={styles.size}>{fileSizeText(file.fileSize)}</span>
          <div className={styles.actions}>
            <Button
              variant="quiet"
              icon={<ExternalLink size={18} aria-hidden="true" />}
              aria-label={`Open ${file.fileName} in a new tab`}
              onClick={() => onOpen(file)}
            >
              Open
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}

interface FileListProps {
  files: readonly CapsuleFile[];
  saving: Pick<Saving, 'busy' | 'save'>;
}

/** Every file by name, with its download. */
function FileList({ files, saving }: FileListProps) {
  return (
    <ul className={styles.files}>
      {files.map((file) => (
        <li key={file.fileId} className={styles.file}>
          <FileIcon fileName={file.fileName} />
          <span className={styles.name}>{file.fileName}</span>
          <span className={styles.size}>{fileSizeText(file.fileSize)}</span>
          <div className={styles.actions}>
            <Button
              icon={<Download size={18} aria-hidden="true" />}
              aria-label={`Download ${file.fileName}`}
              busy={saving.busy.includes(file.fileId)}
              onClick={() => saving.save(file)}
            >
              Download
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** After this many failed loads a video that was cut off counts as one that cannot be played. */
const TRIES_MAX = 3;

/**
 * Streams a video; only its beginning is fetched until somebody starts it. When the connection
 * breaks off, the video goes on from the same moment once the connection is back. Videos that
 * people film for each other have no captions, so there is no track to offer. One with sound only,
 * as a voice memo is, is drawn instead of shown.
 */
function OpenedVideo({ video }: { video: CapsuleFile }) {
  // A new object for each failure restarts the effect below.
  const [failure, setFailure] = useState<{ state: FileState } | null>(null);
  const player = useRef<HTMLMediaElement>(null);
  const [isSound, setSound] = useState(false);
  const stoppedAt = useRef(0);
  const vainTries = useRef(0);
  useEffect(() => {
    if (failure?.state !== 'away') return;
    const goOn = () => player.current?.load();
    window.addEventListener('online', goOn);
    const timer = setTimeout(() => navigator.onLine && goOn(), AGAIN_MS);
    return () => {
      window.removeEventListener('online', goOn);
      clearTimeout(timer);
    };
  }, [failure]);

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
      <p className={styles.names}>
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
      if (currentTarget instanceof HTMLVideoElement) setSound(currentTarget.videoWidth === 0);
    },
    onError: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => void onError(currentTarget),
  };
  return (
    <figure className={styles.video}>
      {isSound && <Drawn file={video} />}
      {isSound ? <audio {...playing} /> : <video {...playing} playsInline />}
      <figcaption>
        {video.fileName}
        <span role="status">
          {failure?.state === 'away' &&
            ` · No connection. You can ${isSound ? 'listen' : 'watch it'} once you're online again.`}
          {failure?.state === 'damaged' && ` · ${FILE_DAMAGED}`}
        </span>
      </figcaption>
    </figure>
  );
}

/** Voice memos are smaller; longer sounds would take too much memory to draw. */
const DRAWN_MAX_MB = 8;

/** The waveform of a sound, where it can be fetched and decoded. */
function Drawn({ file }: { file: CapsuleFile }) {
  const [sound, setSound] = useState<Sound | null>(null);
  const isDrawn = file.fileSize <= DRAWN_MAX_MB;
  const address = fileAddress(file);
  useEffect(() => {
    if (!isDrawn) return;
    const gone = new AbortController();
    fetch(address, { signal: gone.signal })
      .then((answer) => answer.arrayBuffer())
      .then(readSound)
      .then(setSound)
      .catch(() => undefined);
    return () => gone.abort();
  }, [address, isDrawn]);
  // Its room is kept, so that nothing below it moves.
  return isDrawn && <Waveform levels={sound?.levels ?? []} />;
}
