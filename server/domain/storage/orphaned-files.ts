import { DAY_MS } from '../../../shared/limits.ts';
import { isHeld } from '../../db/advisory-locks.ts';
import { findReleasedAmong } from '../../db/storage/released-files.ts';
import { findReferencedKeys } from '../../db/storage/stored.ts';
import type { Deps } from '../../deps.ts';
import { discardFiles } from './stored-files.ts';

/** An interval of ages of files, since their last change. */
export interface Ages {
  moreThanMs: number;
  atMostMs: number;
}

export const OF_ANY_AGE: Ages = {
  moreThanMs: Number.NEGATIVE_INFINITY,
  atMostMs: Number.POSITIVE_INFINITY,
};

/** No upload takes longer than this, so older files without a row were orphaned by a crash. */
export const LEFT_BY_A_CRASH: Ages = { ...OF_ANY_AGE, moreThanMs: DAY_MS };

const FILES_AT_ONCE = 500;

/** Counts all files, and the orphaned files of these ages. */
export async function countOrphaned(
  deps: Pick<Deps, 'db' | 'files'>,
  ages: Ages,
  signal?: AbortSignal,
): Promise<{ listed: number; orphaned: number }> {
  const total = { listed: 0, orphaned: 0 };
  for await (const { listed, orphaned } of eachBatch(deps, ages, signal)) {
    total.listed += listed;
    total.orphaned += orphaned.length;
  }
  return total;
}

/** Removes orphaned files of these ages. @returns their number */
export async function removeOrphaned(
  deps: Pick<Deps, 'db' | 'files' | 'log'>,
  ages: Ages,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for await (const { orphaned } of eachBatch(deps, ages, signal)) {
    // The rows of a backup in progress may still name these files.
    if (await isHeld(deps.db, 'backup')) return removed;
    removed += (await discardFiles(deps, orphaned)).length;
  }
  return removed;
}

/** Released files are not orphaned: their job removes them. */
async function withoutRow(db: Deps['db'], keys: string[]): Promise<string[]> {
  // In this order: files of an account that is deleted meanwhile are found by one of them.
  const named = await findReferencedKeys(db, keys);
  const released = await findReleasedAmong(db, keys);
  return keys.filter((key) => !named.has(key) && !released.has(key));
}

/** Lists the whole store in batches, until `signal` is aborted. */
async function* eachBatch(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  ages: Ages,
  signal: AbortSignal | undefined,
) {
  let listed = 0;
  let keys: string[] = [];
  const look = async () => {
    const orphaned = keys.length > 0 ? await withoutRow(db, keys) : [];
    const batch = { listed, orphaned };
    listed = 0;
    keys = [];
    return batch;
  };
  for await (const { key, ageMs } of files.list()) {
    if (signal?.aborted) return;
    listed += 1;
    if (ageMs > ages.moreThanMs && ageMs <= ages.atMostMs) keys.push(key);
    if (listed >= FILES_AT_ONCE) yield await look();
  }
  yield await look();
}
