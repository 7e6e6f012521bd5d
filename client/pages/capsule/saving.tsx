import { useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { FILE_DAMAGED } from '../../../shared/sentences.ts';
import { isDamaged, openPdf, saveFile } from '../../api/download.ts';
import { Button } from '../../components/button.tsx';
import { CircleAlert } from '../../components/icon.tsx';
import styles from './files.module.css';

export interface Saving {
  /** Ids of the files that are being fetched now. */
  busy: readonly string[];
  /** Files that could not be downloaded. */
  failed: readonly FailedFile[];
  save: (file: CapsuleFile) => void;
  /** Opens a PDF in a new tab. */
  open: (file: CapsuleFile) => void;
  dismiss: () => void;
}

interface FailedFile {
  fileName: string;
  /** Whether trying again would be in vain. */
  isDamaged: boolean;
}

/** Downloads files of an opened capsule and remembers which failed. */
export function useSaving(): Saving {
  const [busy, setBusy] = useState<readonly string[]>([]);
  const [failed, setFailed] = useState<readonly FailedFile[]>([]);

  const take = async (file: CapsuleFile, how: (file: CapsuleFile) => Promise<void>) => {
    setBusy((before) => [...before, file.fileId]);
    try {
      await how(file);
    } catch (error) {
      const { fileName } = file;
      setFailed((before) => [
        ...before.filter((one) => one.fileName !== fileName),
        { fileName, isDamaged: isDamaged(error) },
      ]);
    } finally {
      setBusy((before) => before.filter((id) => id !== file.fileId));
    }
  };
  const one = (how: (file: CapsuleFile) => Promise<void>) => (file: CapsuleFile) => {
    setFailed([]);
    void take(file, how);
  };

  return {
    busy,
    failed,
    save: one(saveFile),
    open: one(openPdf),
    dismiss: () => setFailed([]),
  };
}

/** The pressed button may be far away from the message. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

/** Shown inside the dialog: a message behind it could be neither read nor dismissed. */
export function SavingFailure({ saving }: { saving: Pick<Saving, 'failed' | 'dismiss'> }) {
  const { failed } = saving;
  const damaged = failed.filter(({ isDamaged }) => isDamaged);
  const others = failed.filter(({ isDamaged }) => !isDamaged);
  return (
    <div role="alert" className="silent">
      {failed.length > 0 && (
        <div className={`row gap-8 top red ${styles.failed}`} ref={bringIntoView}>
          <CircleAlert size={18} />
          <div className="grow">
            <FailedNames text="Failed to download file. Please try again." files={others} />
            <FailedNames text={FILE_DAMAGED} files={damaged} />
          </div>
          <Button variant="quiet" className="rigid" onClick={saving.dismiss}>
            Dismiss
          </Button>
        </div>
      )}
    </div>
  );
}

function FailedNames({ text, files }: { text: string; files: readonly FailedFile[] }) {
  if (files.length === 0) return null;
  return (
    <>
      <p>{text}</p>
      <p className="quiet small breaks">{files.map(({ fileName }) => fileName).join(', ')}</p>
    </>
  );
}
