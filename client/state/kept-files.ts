import { noteAbandoned } from '../local/abandoned.ts';
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
  await noteAbandoned([file]);
  await removeFile(file.owner, file.id);
}
