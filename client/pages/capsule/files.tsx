import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { fileSizeText, isVoiceMemo } from '../../../shared/file-types.ts';
import { FILE_LOST } from '../../../shared/sentences.ts';
import { Button } from '../../components/button.tsx';
import { Download, ExternalLink } from '../../components/icon.tsx';
import { FileIcon } from '../file-icon.tsx';
import { FileName } from '../file-name.tsx';
import styles from './files.module.css';
import { OpenedGallery } from './images.tsx';
import { OpenedRecording } from './recordings.tsx';
import { type Saving, SavingFailure } from './saving.tsx';

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
      {papers.length > 0 && <Papers papers={papers} onOpen={saving.open} />}
      {lost.map((file) => (
        <p key={file.fileId} className="quiet small breaks">
          <FileName>{file.fileName}</FileName> · {FILE_LOST}
        </p>
      ))}
    </section>
  );
}

/** All files of an opened capsule, to download. */
export function AllFiles({ capsuleId, files, saving }: OpenedFilesProps) {
  const there = files.filter((file) => !file.lost).map((file) => ({ ...file, capsuleId }));
  return (
    <section className="stack gap-16">
      <SavingFailure saving={saving} />
      {there.length > 0 && (
        <details>
          <summary className="target copper">All files ({there.length})</summary>
          <FileList files={there} saving={saving} />
        </details>
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
    <ul className="lines">
      {papers.map((file) => (
        <li key={file.fileId} className={`entry ${styles.file}`}>
          <FileIcon fileName={file.fileName} />
          <span className={`breaks ${styles.name}`}>
            <FileName>{file.fileName}</FileName>
          </span>
          <span className={`quiet ${styles.size}`}>{fileSizeText(file.fileSize)}</span>
          <div className={`row ${styles.actions}`}>
            <Button
              variant="quiet"
              icon={ExternalLink}
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
    <ul className={`lines ${styles.files}`}>
      {files.map((file) => (
        <li key={file.fileId} className={`entry ${styles.file}`}>
          <FileIcon fileName={file.fileName} />
          <span className={`breaks ${styles.name}`}>
            <FileName>{file.fileName}</FileName>
          </span>
          <span className={`quiet ${styles.size}`}>{fileSizeText(file.fileSize)}</span>
          <div className={`row ${styles.actions}`}>
            <Button
              icon={Download}
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
