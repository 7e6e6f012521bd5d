import type { ReactNode } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { fileSizeText, isVoiceMemo } from '../../../shared/file-types.ts';
import { FILE_LOST } from '../../../shared/sentences.ts';
import { saveFiles } from '../../api/download.ts';
import { messageFrom } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { Download, ExternalLink } from '../../components/icon.tsx';
import { FileIcon } from '../file-icon.tsx';
import { followDownload, NOT_DOWNLOADED } from '../follow-download.ts';
import styles from './files.module.css';
import { OpenedGallery } from './images.tsx';
import { OpenedRecording } from './recordings.tsx';
import type { Saving } from './saving.ts';

interface OpenedFilesProps {
  capsuleId: string;
  files: readonly CapsuleFile[];
  saving: Saving;
}

interface ToLookAtProps extends OpenedFilesProps {
  /** They stand under the name of whoever added them. */
  isWithin: boolean;
}

/** Files of an opened capsule, to look at; nothing where there are none. Voice memos are heard with the letter. */
export function OpenedFiles({ capsuleId, files, saving, isWithin }: ToLookAtProps) {
  const Heading = isWithin ? 'h4' : 'h3';
  const all = files.map((file) => ({ ...file, capsuleId }));
  const there = all.filter((file) => !file.lost);
  const of = (kind: string) => there.filter(({ fileType }) => fileType.startsWith(kind));
  const images = of('image/');
  const videos = of('video/').filter(({ fileName }) => !isVoiceMemo(fileName));
  const papers = of('application/pdf');
  const lost = all.filter((file) => file.lost);
  if (images.length + videos.length + papers.length + lost.length === 0) return null;
  return (
    <section className="stack gap-16">
      <Heading className="visually-hidden">Files</Heading>
      {images.length > 0 && <OpenedGallery images={images} saving={saving} />}
      {videos.map((video) => (
        <OpenedRecording key={video.fileId} file={video} />
      ))}
      {papers.length > 0 && (
        <FileRows files={papers}>
          {(file) => (
            <Button
              variant="quiet"
              icon={ExternalLink}
              aria-label={`Open ${file.fileName} in a new tab`}
              onClick={() => saving.open(file)}
            >
              Open
            </Button>
          )}
        </FileRows>
      )}
      {lost.map((file) => (
        <p key={file.fileId} className="quiet small breaks">
          {file.fileName} · {FILE_LOST}
        </p>
      ))}
    </section>
  );
}

/** All files of an opened capsule, to download. */
export function AllFiles({ capsuleId, files, saving }: OpenedFilesProps) {
  const there = files.filter((file) => !file.lost).map((file) => ({ ...file, capsuleId }));
  if (there.length === 0) return null;
  return (
    <details>
      <summary className="target copper">All files ({there.length})</summary>
      <FileRows files={there} className={styles.files}>
        {(file) => (
          <Button
            icon={Download}
            aria-label={`Download ${file.fileName}`}
            busy={saving.busy.includes(file.fileId)}
            onClick={() => saving.save(file)}
          >
            Download
          </Button>
        )}
      </FileRows>
      {there.length > 1 && (
        <Button
          variant="quiet"
          icon={Download}
          onClick={() =>
            void followDownload(saveFiles(capsuleId), (error) => messageFrom(error, NOT_DOWNLOADED))
          }
        >
          Download all files
        </Button>
      )}
    </details>
  );
}

interface FileRowsProps {
  files: readonly CapsuleFile[];
  className?: string | undefined;
  /** What can be done with one of them. */
  children: (file: CapsuleFile) => ReactNode;
}

/** Files by name. */
function FileRows({ files, className = '', children }: FileRowsProps) {
  return (
    <ul className={`lines ${className}`}>
      {files.map((file) => (
        <li key={file.fileId} className={`stack middle gap-0-12 entry ${styles.file}`}>
          <FileIcon fileName={file.fileName} />
          <span className={`breaks ${styles.name}`}>{file.fileName}</span>
          <span className={`quiet ${styles.size}`}>{fileSizeText(file.fileSize)}</span>
          <div className={`row ${styles.actions}`}>{children(file)}</div>
        </li>
      ))}
    </ul>
  );
}
