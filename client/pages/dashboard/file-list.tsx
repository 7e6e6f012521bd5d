import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { fileSizeText } from '../../../shared/file-types.ts';
import { Button } from '../../ui/button.tsx';
import { Download, ExternalLink } from '../../ui/icon.tsx';
import { FileIcon } from '../file-icon.tsx';
import styles from './file-list.module.css';
import type { Saving } from './opened-saving.ts';

interface FileListProps {
  files: readonly CapsuleFile[];
  saving: Pick<Saving, 'busy' | 'save' | 'open'>;
}

/** The files of an opened capsule by name, each to be saved. */
export function FileList({ files, saving }: FileListProps) {
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
