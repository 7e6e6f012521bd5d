import { abandonUpload } from '../../shared/api/uploads.ts';
import { call } from '../http/call.ts';
import type { KeptFileRow, OutboxRow } from '../local/db.ts';
import { readBrokenFiles, readFiles, removeFile } from '../local/kept-files.ts';
import { useLocal } from './use-local.ts';

type Key = Pick<OutboxRow, 'owner' | 'id'>;

/** The files this device keeps for a draft or a queued capsule. */
export function useKeptFiles({ owner, id }: Key): KeptFileRow[] | undefined {
  return useLocal(() => readFiles(owner, id), [owner, id], []);
}

/** Files of a draft whose rows are damaged. */
export function useBrokenFiles({ owner, id }: Key): Key[] {
  return useLocal(() => readBrokenFiles(owner, id), [owner, id], NONE) ?? NONE;
}

const NONE: Key[] = [];

/** A file whose row is damaged. */
export async function removeBrokenFile({ owner, id }: Key): Promise<void> {
  await removeFile(owner, id);
}

export async function removeKeptFile(file: KeptFileRow): Promise<void> {
  await removeFile(file.owner, file.id);
  abandonUploads([file]);
}

/** What has reached the server of files that are no longer wanted; a week later it goes by itself. */
export function abandonUploads(files: readonly KeptFileRow[]): void {
  for (const { id, announced } of files) {
    if (announced) call(abandonUpload, { params: { id } }).catch(() => undefined);
  }
}
