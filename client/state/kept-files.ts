import type { KeptFileRow, OutboxRow } from '../local/db.ts';
import { readBrokenFiles, readFiles, takeFileOut } from '../local/kept-files.ts';
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

/** Takes a file out of its draft, damaged or not. */
export async function removeKeptFile({ owner, id }: Key): Promise<void> {
  await takeFileOut(owner, id);
}
