import { AppError } from '../app-error.ts';
import { isLocked } from '../db/advisory-locks.ts';
import { isDatabaseBusy, isDatabaseFull } from '../db/errors.ts';
import type { Deps } from '../deps.ts';

/**
 * Removes bytes whose rows have just been deleted. While a backup is made they stay for the
 * sweep: the backup's rows may be older than this deletion and name them.
 */
export async function releaseFiles(
  deps: Pick<Deps, 'db' | 'files' | 'log'>,
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return;
  const keep = await isLocked(deps.db, 'backup').catch(() => true);
  if (!keep) await discardFiles(deps, keys);
}

/** A bucket refuses whoever asks for much more at the same time; an account may have thousands of files. */
const AT_ONCE = 8;

/** Removes bytes that no row names. What cannot be removed now is left to the sweep. */
export async function discardFiles(
  { files, log }: Pick<Deps, 'files' | 'log'>,
  keys: string[],
): Promise<void> {
  let left = 0;
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    const some = keys.slice(start, start + AT_ONCE);
    const results = await Promise.allSettled(some.map((key) => files.delete(key)));
    left += results.filter(({ status }) => status === 'rejected').length;
  }
  if (left > 0) log.warn({ left }, 'stored files could not be removed; the sweep will');
}

/**
 * After a transaction that was to name these bytes has failed. What we or the database refused
 * has surely left no row; of a commit that was cut off nobody knows, so its bytes are left to
 * the sweep, which looks.
 */
export async function discardRefused(
  deps: Pick<Deps, 'files' | 'log'>,
  keys: string[],
  error: unknown,
): Promise<void> {
  const isRefused = error instanceof AppError || isDatabaseBusy(error) || isDatabaseFull(error);
  if (isRefused) await discardFiles(deps, keys);
}
