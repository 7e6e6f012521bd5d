import { useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { isVoiceMemo } from '../../../shared/file-types.ts';
import { fileAddress } from '../../api/download.ts';
import { Sound } from '../sound.tsx';
import styles from './files.module.css';
import { NotLoaded, useTries } from './not-loaded.tsx';

interface OpenedRecordingProps {
  file: CapsuleFile;
  /** What is said of a sound, instead of the file's name. */
  title?: string;
}

/**
 * A video, or a sound: capsules hold sounds as videos without a picture. It is streamed, and only its
 * beginning is fetched until somebody starts it. Videos that people film for each other have no
 * captions, so there is no track to offer.
 */
export function OpenedRecording({ file, title = file.fileName }: OpenedRecordingProps) {
  const [isSound, setSound] = useState(() => isVoiceMemo(file.fileName));
  const tries = useTries();
  const playing = {
    ref: loadAnew,
    src: fileAddress(file),
    'aria-label': title,
    onError: tries.fail,
  };
  return (
    <figure className={`stack gap-4 ${styles.video}`}>
      {tries.hasFailed ? null : isSound ? (
        <Sound key={tries.key} {...playing} />
      ) : (
        <video
          key={tries.key}
          {...playing}
          className="wide"
          controls
          preload="metadata"
          playsInline
          onLoadedMetadata={({ currentTarget }) => setSound(currentTarget.videoWidth === 0)}
        />
      )}
      <figcaption className="quiet small breaks">{title}</figcaption>
      <NotLoaded tries={tries} />
    </figure>
  );
}

/** React passes on no event of a player that it has not yet put into the page. */
function loadAnew(player: HTMLMediaElement | null): void {
  if (player && (player.error || player.readyState > 0)) player.load();
}
