import { useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { fileSizeText } from '../../../shared/file-types.ts';
import { saveFile } from '../../http/download.ts';
import { Button } from '../../ui/button.tsx';
import { CircleAlert, Download } from '../../ui/icon.tsx';
import { FileIcon } from '../file-icon.tsx';
import styles from './file-list.module.css';

/** The files of an opened capsule, each to be saved. */
export function FileList({ files }: { files: readonly CapsuleFile[] }) {
  const [busy, setBusy] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);

  const save = async (file: CapsuleFile) => {
    setBusy(file.fileId);
    setFailed(false);
    try {
      await saveFile(file);
    } catch {
      setFailed(true);
    } finally {
      setBusy(null);
    }
  };

  return (
    <section>
      <h3>Files</h3>
      {/* Inside the dialog: a message behind it could be neither read nor dismissed. */}
      <div role="alert">
        {failed && (
          <p className={styles.failed}>
            <CircleAlert size={18} aria-hidden="true" />
            Failed to download file. Please try again.
            <Button variant="quiet" onClick={() => setFailed(false)}>
              Dismiss
            </Button>
          </p>
        )}
      </div>
      <ul className={styles.files}>
        {files.map((file) => (
          <li key={file.fileId} className={styles.file}>
            <FileIcon fileName={file.fileName} />
            <span className={styles.name}>{file.fileName}</span>
            <span className={styles.size}>{fileSizeText(file.fileSize)}</span>
            <Button
              className={styles.download}
              icon={<Download size={18} aria-hidden="true" />}
              aria-label={`Download ${file.fileName}`}
              busy={busy === file.fileId}
              onClick={() => void save(file)}
            >
              Download
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
