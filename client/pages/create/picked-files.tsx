import { Button } from '../../ui/button.tsx';
import { X } from '../../ui/icon.tsx';
import { FileIcon } from '../file-icon.tsx';
import { megabytesText, totalBytes } from './pick-files.ts';
import styles from './picked-files.module.css';

interface PickedFilesProps {
  files: readonly File[];
  onRemove: (file: File) => void;
}

export function PickedFiles({ files, onRemove }: PickedFilesProps) {
  return (
    <section>
      <div className={styles.head}>
        <h3>{files.length} File(s) Selected</h3>
        <span className="stamp">{megabytesText(totalBytes(files))} in all</span>
      </div>
      <ul className={styles.files}>
        {files.map((file) => (
          <li key={`${file.name} ${file.size} ${file.lastModified}`} className={styles.file}>
            <FileIcon fileName={file.name} />
            <span className={styles.words}>
              <span className={styles.name}>{file.name}</span>
              <span className={styles.facts}>
                {file.type === '' ? 'unknown type' : file.type} · {megabytesText(file.size)}
              </span>
            </span>
            <Button
              variant="quiet"
              aria-label={`Remove ${file.name}`}
              onClick={() => onRemove(file)}
            >
              <X size={18} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
