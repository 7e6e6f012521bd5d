import { type DragEvent, useId, useState } from 'react';
import { ACCEPTED_FILES } from '../../../shared/file-types.ts';
import { useExternalStore } from '../../state/external-store.ts';
import { useLimits } from '../../state/figures.ts';
import { pickFiles, sealing } from '../../state/sealing.ts';
import { Button } from '../../ui/button.tsx';
import { CircleAlert, Upload } from '../../ui/icon.tsx';
import styles from './file-picker.module.css';
import { addFiles, limitsText } from './pick-files.ts';
import { PickedFiles } from './picked-files.tsx';

interface FilePickerProps {
  owner: string;
  error: string | undefined;
  onChange: () => void;
}

/** Files by the system's picker or by dropping them. */
export function FilePicker({ owner, error, onChange }: FilePickerProps) {
  const id = useId();
  const { files } = useExternalStore(sealing);
  const limits = useLimits(owner).value?.limits ?? null;
  const [refused, setRefused] = useState<readonly string[]>([]);
  const [isOver, setOver] = useState(false);

  const put = (next: readonly File[], leftOut: readonly string[] = []) => {
    pickFiles(next);
    setRefused(leftOut);
    onChange();
  };
  const add = (added: FileList | null) => {
    const pick = addFiles(files, [...(added ?? [])], limits);
    put(pick.files, pick.refused);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === 'dragover');
  };
  const complaints = error ? [error, ...refused] : refused;

  return (
    <div className={styles.picker}>
      <label
        className={styles.zone}
        data-over={isOver || undefined}
        htmlFor={id}
        onDragOver={over}
        onDragLeave={over}
        onDrop={(event) => {
          over(event);
          add(event.dataTransfer.files);
        }}
      >
        <Upload size={24} aria-hidden="true" />
        <span className={styles.call}>Choose files or drop them here</span>
        <span className={styles.hint} id={`${id}-hint`}>
          {limitsText(limits)}
        </span>
        <input
          id={id}
          className="visually-hidden"
          type="file"
          multiple
          accept={ACCEPTED_FILES}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            add(event.target.files);
            // The same file can be picked again after it was removed.
            event.target.value = '';
          }}
        />
      </label>
      <div role="alert">
        {complaints.length > 0 && (
          <div className={styles.refused}>
            <CircleAlert size={18} aria-hidden="true" />
            <ul>
              {complaints.map((complaint) => (
                <li key={complaint}>{complaint}</li>
              ))}
            </ul>
            {refused.length > 0 && (
              <Button variant="quiet" onClick={() => setRefused([])}>
                Dismiss
              </Button>
            )}
          </div>
        )}
      </div>
      {files.length > 0 && (
        <PickedFiles
          files={files}
          onRemove={(file) => put(files.filter((other) => other !== file))}
        />
      )}
      <p className={styles.hint}>Files are kept only while this page is open.</p>
    </div>
  );
}
