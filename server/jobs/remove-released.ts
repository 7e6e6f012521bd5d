import { isHeld } from '../db/advisory-locks.ts';
import { findReleased, forgetReleased } from '../db/storage/released-files.ts';
import type { Deps } from '../deps.ts';
import { ownsFiles } from '../domain/storage/store-identity.ts';
import { discardFiles } from '../domain/storage/stored-files.ts';

const FILES_AT_ONCE = 1_000;

/**
 * Removes the files of deleted accounts. Files that cannot be removed wait for the next pass. Two
 * processes may remove the same files, which does no harm.
 */
export async function removeReleased(
  deps: Pick<Deps, 'db' | 'files' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  if (!(await ownsFiles(deps))) return;
  for (let after = ''; !signal.aborted; ) {
    // The rows of a backup in progress may still name these files.
    if (await isHeld(deps.db, 'backup')) return;
    const keys = await findReleased(deps.db, { after, limit: FILES_AT_ONCE });
    const last = keys.at(-1);
    if (last === undefined) return;
    await forgetReleased(deps.db, await discardFiles(deps, keys));
    after = last;
  }
}
