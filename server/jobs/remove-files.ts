import { DAY_MS } from '../../shared/limits.ts';
import { later } from '../clock/clock.ts';
import { isHeld } from '../db/advisory-locks.ts';
import { findReleased, releaseOld } from '../db/storage/pending-files.ts';
import type { Deps } from '../deps.ts';
import { assertOwnFiles } from '../domain/storage/store-identity.ts';
import { removeFiles } from '../domain/storage/stored-files.ts';

const FILES_AT_ONCE = 1_000;

/**
 * Removes files that no row names any more: those whose rows were deleted, and those that a crash
 * has left, a day after they were begun. What cannot be removed waits for the next pass. Two
 * processes may remove the same files, which does no harm.
 */
export async function removeReleased(
  deps: Pick<Deps, 'db' | 'clock' | 'files' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  await releaseOld(deps.db, later(deps.clock.now(), -DAY_MS));
  for (let after = ''; !signal.aborted; ) {
    const keys = await findReleased(deps.db, { after, limit: FILES_AT_ONCE });
    // The rows of a backup in progress may still name these files. One that begins later has none.
    if (await isHeld(deps.db, 'backup')) return;
    const last = keys.at(-1);
    if (last === undefined) return;
    await assertOwnFiles(deps);
    await removeFiles(deps, keys);
    after = last;
  }
}
