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
  /** What could not be downloaded last. */
  failed: FailedFile | null;
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

/** Downloads files of an opened capsule, and remembers which one failed. */
export function useSaving(): Saving {
  const [busy, setBusy] = useState<readonly string[]>([]);
  const [failed, setFailed] = useState<FailedFile | null>(null);
  const take = async (file: CapsuleFile, how: (file: CapsuleFile) => Promise<void>) => {
    const { fileId, fileName } = file;
    setFailed(null);
    setBusy((before) => [...before, fileId]);
    try {
      await how(file);
    } catch (error) {
      setFailed({ fileName, isDamaged: isDamaged(error) });
    } finally {
      setBusy((before) => before.filter((id) => id !== fileId));
    }
  };
  return {
    busy,
    failed,
    save: (file) => void take(file, saveFile),
    open: (file) => void take(file, openPdf),
    dismiss: () => setFailed(null),
  };
}

/** The pressed button may be far away from the message. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

/** Shown inside the dialog: a message behind it could be neither read nor dismissed. */
export function SavingFailure({ saving }: { saving: Pick<Saving, 'failed' | 'dismiss'> }) {
  const { failed } = saving;
  return (
    <div role="alert" className="silent">
      {failed && (
        <div className={`row gap-8 top red ${styles.failed}`} ref={bringIntoView}>
          <CircleAlert size={18} />
          <div className="grow">
            <p>{failed.isDamaged ? FILE_DAMAGED : 'Failed to download file. Please try again.'}</p>
            <p className="quiet small breaks">{failed.fileName}</p>
          </div>
          <Button variant="quiet" className="rigid" onClick={saving.dismiss}>
            Dismiss
          </Button>
        </div>
      )}
    </div>
  );
}
