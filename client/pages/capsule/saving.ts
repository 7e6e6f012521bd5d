import { useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { openPdf, saveFile } from '../../api/download.ts';
import { followDownload } from '../follow-download.ts';

export type Saving = ReturnType<typeof useSaving>;

/** Downloads files of an opened capsule. */
export function useSaving() {
  /** Ids of the files that are being fetched now. */
  const [busy, setBusy] = useState<readonly string[]>([]);
  const take = async (file: CapsuleFile, how: (file: CapsuleFile) => Promise<void>) => {
    setBusy((before) => [...before, file.fileId]);
    await followDownload(how(file));
    setBusy((before) => before.filter((id) => id !== file.fileId));
  };
  return {
    busy,
    save: (file: CapsuleFile) => void take(file, saveFile),
    /** Opens a PDF in a new tab. */
    open: (file: CapsuleFile) => void take(file, openPdf),
  };
}
