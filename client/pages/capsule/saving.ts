import { useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { FILE_DAMAGED } from '../../../shared/sentences.ts';
import { isDamaged, openPdf, saveFile } from '../../api/download.ts';
import { toasts } from '../../components/toast.tsx';

export type Saving = ReturnType<typeof useSaving>;

/** Downloads files of an opened capsule, and says where that failed. */
export function useSaving() {
  /** Ids of the files that are being fetched now. */
  const [busy, setBusy] = useState<readonly string[]>([]);
  const take = async (file: CapsuleFile, how: (file: CapsuleFile) => Promise<void>) => {
    setBusy((before) => [...before, file.fileId]);
    try {
      await how(file);
    } catch (error) {
      toasts.failure(isDamaged(error) ? FILE_DAMAGED : NOT_DOWNLOADED);
    } finally {
      setBusy((before) => before.filter((id) => id !== file.fileId));
    }
  };
  return {
    busy,
    save: (file: CapsuleFile) => void take(file, saveFile),
    /** Opens a PDF in a new tab. */
    open: (file: CapsuleFile) => void take(file, openPdf),
  };
}

/** Specified. */
export const NOT_DOWNLOADED = 'Failed to download file. Please try again.';
