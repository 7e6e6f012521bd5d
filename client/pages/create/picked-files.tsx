import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { X } from '../../ui/icon.tsx';
import { FileIcon } from '../file-icon.tsx';
import { megabytesText } from '../words.ts';
import styles from './picked-files.module.css';

export interface ShownFile {
  key: string;
  name: string;
  /** MIME type; empty where the system names none. */
  type: string;
  size: number;
  lastModified: number;
  thumbnail: ArrayBuffer | null;
  /** Percent that has been copied; null when all of it is kept on this device. */
  copied: number | null;
  /** Its bytes are gone, or never came; only its name is known. */
  isLost?: boolean | undefined;
  /** All of it is on this device, perhaps only there. */
  isKept?: boolean;
  onRemove: () => void;
}

interface PickedFilesProps {
  files: readonly ShownFile[];
  onRemove: (file: ShownFile) => void;
}

export function PickedFiles({ files, onRemove }: PickedFilesProps) {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <section>
      <div className={styles.head}>
        <h3 tabIndex={-1}>{files.length} File(s) Selected</h3>
        <span className="stamp">{megabytesText(total)} in all</span>
      </div>
      <ul className={styles.files}>
        {files.map((file) => (
          <li key={file.key} className={styles.file}>
            {file.thumbnail ? (
              <Thumbnail bytes={file.thumbnail} />
            ) : (
              <FileIcon fileName={file.name} />
            )}
            <span className={styles.words}>
              <span className={styles.name}>{file.name}</span>
              <span className={styles.facts}>
                {file.type === '' ? 'unknown type' : file.type} ·{' '}
                <span className={styles.size}>{megabytesText(file.size)}</span>
              </span>
              {file.isLost && (
                <span className={styles.lost}>
                  Not kept on this device. Please add it again or remove it.
                </span>
              )}
              {file.copied !== null && (
                <span className={styles.copying}>
                  {file.copied === 0 ? 'Waiting to be copied…' : `Copying… ${file.copied}%`}
                </span>
              )}
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

function Thumbnail({ bytes }: { bytes: ArrayBuffer }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: 'image/webp' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  return (
    <span className={styles.thumbnail}>
      {address && <img src={address} alt="" width="44" height="44" />}
    </span>
  );
}
