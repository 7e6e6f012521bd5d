import type { Ref } from 'react';
import { isVoiceMemo, pickedKind, VOICE_MEMO } from '../../../shared/file-types.ts';
import { Button } from '../../components/button.tsx';
import { X } from '../../components/icon.tsx';
import { totalBytes } from '../../db/pick-files.ts';
import { useAddress } from '../../hooks/use-address.ts';
import type { ShownFile } from '../../hooks/use-attachments.ts';
import { savesData } from '../../sync/saves-data.ts';
import { FileIcon } from '../file-icon.tsx';
import { megabytesText } from '../format.ts';
import { FarPicture } from './far-picture.tsx';
import styles from './file-picker.module.css';

interface PickedFilesProps {
  rowId: string;
  /** The draft is saved to the account. */
  isForAccount: boolean;
  files: readonly ShownFile[];
  onRemove: (file: ShownFile) => void;
  ref: Ref<HTMLElement>;
}

export function PickedFiles({ rowId, isForAccount, files, onRemove, ref }: PickedFilesProps) {
  return (
    <section className={`stack gap-8 ${styles.list}`} ref={ref}>
      <div className="cluster baseline spread gap-4-16">
        <h2 className="large" data-focus-home>
          {files.length} File(s) Selected
        </h2>
        <span className="stamp">{megabytesText(totalBytes(files))} in total</span>
      </div>
      <ul className={`lines ${styles.files}`}>
        {files.map((file) => (
          <li key={file.id} className="entry row middle gap-12">
            {file.thumbnail ? (
              <Thumbnail bytes={file.thumbnail} />
            ) : (
              <FileIcon fileName={file.name} />
            )}
            <span className={`stack grow ${styles.words}`}>
              <span className="breaks">{file.name}</span>
              <span className={`quiet breaks ${styles.facts}`}>
                {typeText(file)} · <span className="unbroken">{megabytesText(file.size)}</span>
              </span>
              {file.isLost && (
                <span className="small strong red">
                  Not saved on this device. Please add it again or remove it.
                </span>
              )}
              {file.isElsewhere && !file.hasArrived && (
                <span className="quiet small">Still on your other device</span>
              )}
              {isForAccount && file.refusal !== null && (
                <span className="quiet small">Not in your account. {file.refusal}</span>
              )}
              {isForAccount && isWaiting(file) && <span className="quiet small">{WAITING}</span>}
              {file.copied !== null && (
                <span className="small strong copper">
                  {file.copied === 0 ? 'Waiting to be copied…' : `Copying… ${file.copied}%`}
                </span>
              )}
              {isForAccount &&
                file.isElsewhere &&
                file.hasArrived &&
                pickedKind(file) === 'image' && <FarPicture draftId={rowId} file={file} />}
            </span>
            <Button
              variant="quiet"
              aria-label={`Remove ${file.name}`}
              onClick={() => onRemove(file)}
            >
              <X size={18} />
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Thumbnail({ bytes }: { bytes: ArrayBuffer }) {
  const address = useAddress(bytes, 'image/webp');
  return (
    <span className="sunken rigid square">
      {address && <img className="rounded" src={address} alt="" width="44" height="44" />}
    </span>
  );
}

/** The device saves data: the account gets the file with the capsule. */
function isWaiting(file: ShownFile): boolean {
  const { hasArrived, isElsewhere, isLost, copied } = file;
  return savesData() && !hasArrived && !isElsewhere && !isLost && copied === null;
}
const WAITING = 'Only on this device until you create the capsule, to save data';

/** 'JPG image', 'PDF': never the type's name for machines. */
function typeText({ name, type }: ShownFile): string {
  if (isVoiceMemo(name)) return VOICE_MEMO;
  const kind = pickedKind({ name, type });
  if (kind === 'pdf') return 'PDF';
  const word = kind === 'other' ? 'file' : kind;
  const [, extension = ''] = /\.([^.]{1,8})$/.exec(name) ?? [];
  return `${extension.toUpperCase()} ${word}`.trim();
}
