import { useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { FILE_DAMAGED } from '../../../shared/sentences.ts';
import { isDamaged, openPdf, saveFile } from '../../api/download.ts';
import { toasts } from '../../components/toast.tsx';

export type Saving = ReturnType<typeof useSaving>;

/** The messages of downloads that have failed. */
const failures = new Map<string, number>();

/**
 * Follows a download, and says where it has failed, until it is tried again.
 * @param id of what is downloaded @param fileName of a single file
 */
export async function saved(id: string, saving: Promise<void>, fileName = ''): Promise<void> {
  toasts.dismiss(failures.get(id) ?? 0);
  try {
    await saving;
  } catch (error) {
    const why = isDamaged(error) ? FILE_DAMAGED : NOT_DOWNLOADED;
    const which = fileName && ` The file is “${fileName}”.`;
    failures.set(id, toasts.failure(why + which));
  }
}

/** Specified. */
const NOT_DOWNLOADED = 'Failed to download file. Please try again.';

/** Downloads files of an opened capsule. */
export function useSaving() {
  /** Ids of the files that are being fetched now. */
  const [busy, setBusy] = useState<readonly string[]>([]);
  const take = async (file: CapsuleFile, how: (file: CapsuleFile) => Promise<void>) => {
    setBusy((before) => [...before, file.fileId]);
    await saved(file.fileId, how(file), file.fileName);
    setBusy((before) => before.filter((id) => id !== file.fileId));
  };
  return {
    busy,
    save: (file: CapsuleFile) => void take(file, saveFile),
    /** Opens a PDF in a new tab. */
    open: (file: CapsuleFile) => void take(file, openPdf),
  };
}
