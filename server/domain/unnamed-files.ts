import { DAY_MS } from '../../shared/limits.ts';
import { isLocked } from '../db/advisory-locks.ts';
import { findReferencedKeys } from '../db/sweep.ts';
import type { Deps } from '../deps.ts';

/** How long ago bytes were last changed: more than the one, not more than the other. */
export interface Ages {
  moreThanMs: number;
  atMostMs: number;
}

export const OF_ANY_AGE: Ages = {
  moreThanMs: Number.NEGATIVE_INFINITY,
  atMostMs: Number.POSITIVE_INFINITY,
};

/** No upload takes that long: bytes without a row that are older were left by a crash. */
export const LEFT_BY_A_CRASH: Ages = { ...OF_ANY_AGE, moreThanMs: DAY_MS };

const FILES_AT_ONCE = 500;

/** How many files there are, and how many of them are of these ages and named by no row. */
export async function countUnnamed(
  deps: Pick<Deps, 'db' | 'files'>,
  ages: Ages,
  signal?: AbortSignal,
): Promise<{ listed: number; unnamed: number }> {
  const total = { listed: 0, unnamed: 0 };
  for await (const { listed, unnamed } of eachBatch(deps, ages, signal)) {
    total.listed += listed;
    total.unnamed += unnamed.length;
  }
  return total;
}

/** Removes bytes of these ages that no row names. @returns how many went */
export async function removeUnnamed(
  deps: Pick<Deps, 'db' | 'files' | 'log'>,
  ages: Ages,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for await (const { unnamed } of eachBatch(deps, ages, signal)) {
    // Rows of a backup that is being made may still name what ours do not.
    if (await isLocked(deps.db, 'backup')) return removed;
    for (const key of unnamed) {
      if (signal?.aborted) return removed;
      if (await remove(deps, key)) removed += 1;
    }
  }
  return removed;
}

/** One that cannot be removed must not keep the others. */
async function remove({ files, log }: Pick<Deps, 'files' | 'log'>, key: string): Promise<boolean> {
  try {
    await files.delete(key);
    return true;
  } catch (error) {
    log.warn({ err: error, key }, 'bytes without a row could not be removed');
    return false;
  }
}

/** The whole store, some hundred files at a time: memory stays flat. Less of it once `signal` ends it. */
async function* eachBatch(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  ages: Ages,
  signal: AbortSignal | undefined,
) {
  let listed = 0;
  let keys: string[] = [];
  const look = async () => {
    const named = keys.length > 0 ? await findReferencedKeys(db, keys) : new Set<string>();
    const batch = { listed, unnamed: keys.filter((key) => !named.has(key)) };
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
