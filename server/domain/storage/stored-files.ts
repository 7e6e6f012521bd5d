import { AppError } from '../../app-error.ts';
import { isHeld } from '../../db/advisory-locks.ts';
import { isDatabaseBusy, isDatabaseFull } from '../../db/errors.ts';
import type { Deps } from '../../deps.ts';
import { ownsFiles } from './store-identity.ts';

/**
 * Removes files whose rows were just deleted. During a backup they are left to the sweep, because
 * the backup's rows may still name them; and where another database uses the store, for its rows.
 */
export async function releaseFiles(
  deps: Pick<Deps, 'db' | 'files' | 'log'>,
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return;
  const keep = await isHeld(deps.db, 'backup').catch(() => true);
  if (!keep && (await ownsFiles(deps))) await discardFiles(deps, keys);
}

/** Removes files that no row names. A failure is left to the sweep. @returns the removed keys */
export async function discardFiles(
  { files, log }: Pick<Deps, 'files' | 'log'>,
  keys: string[],
): Promise<string[]> {
  const failures = await files.delete(keys);
  const [first] = failures;
  if (first) {
    const [key, err] = first;
    const left = failures.size;
    log.warn({ err, key, left }, 'Some stored files could not be deleted yet.');
  }
  return keys.filter((key) => !failures.has(key));
}

/**
 * Removes files after the transaction that should have named them failed. If the connection was
 * lost during the commit, the rows may exist, so the files are left to the sweep.
 */
export async function discardRefused(
  deps: Pick<Deps, 'files' | 'log'>,
  keys: string[],
  error: unknown,
): Promise<void> {
  const isRefused = error instanceof AppError || isDatabaseBusy(error) || isDatabaseFull(error);
  if (isRefused) await discardFiles(deps, keys);
}
