import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { fileSizeText } from '../../../shared/file-types.ts';
import { Button } from '../../components/button.tsx';
import { Download, ExternalLink } from '../../components/icon.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { FileIcon } from '../file-icon.tsx';
import styles from './files.module.css';
import { OpenedGallery } from './images.tsx';
import { SavingFailure } from './saving-failure.tsx';
import { type Saving, useSaving } from './use-saving.ts';
import { OpenedVideo } from './video.tsx';

/** The files of an opened capsule, to look at and to download. */
export function OpenedFiles({ files }: { files: readonly CapsuleFile[] }) {
  const saving = useSaving();
  const { progress } = saving;
  const images = files.filter(({ fileType }) => fileType.startsWith('image/'));
  const videos = files.filter(({ fileType }) => fileType.startsWith('video/'));
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h3>Files</h3>
        {files.length > 1 && (
          <Button
            icon={<Download size={18} aria-hidden="true" />}
            busy={progress !== null}
            onClick={() => saving.saveAll(files)}
          >
            Download all
          </Button>
        )}
      </div>
      {progress && (
        <ProgressBar label="Saving files" percent={(progress.done / progress.total) * 100} />
      )}
      {images.length > 0 && <OpenedGallery images={images} saving={saving} />}
      {videos.map((video) => (
        <OpenedVideo key={video.fileId} video={video} />
      ))}
      <SavingFailure saving={saving} />
      <FileList files={files} saving={saving} />
    </section>
  );
}

interface FileListProps {
  files: readonly CapsuleFile[];
  saving: Pick<Saving, 'busy' | 'save' | 'open'>;
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
            {file.fileType === 'application/pdf' && (
              <Button
                variant="quiet"
                icon={<ExternalLink size={18} aria-hidden="true" />}
                aria-label={`Open ${file.fileName} in a new tab`}
                onClick={() => saving.open(file)}
              >
                Open
              </Button>
            )}
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
