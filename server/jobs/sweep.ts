import { DAY_MS, UPLOAD_KEPT_DAYS } from '../../shared/limits.ts';
import { isLocked } from '../db/advisory-locks.ts';
import {
  deleteAbandonedKeys,
  deleteExpired,
  deleteOldMails,
  deleteUnreachable,
  findReferencedKeys,
} from '../db/sweep.ts';
import { deleteAbandonedUploads } from '../db/uploads.ts';
import type { Deps } from '../deps.ts';

const SENT_KEPT_DAYS = 90;
/** Dropped mail tells nobody anything; an address typed by a stranger should not stay. */
const DROPPED_KEPT_DAYS = 1;
/** No upload takes that long: bytes without a row that are older were left by a crash. */
const ORPHAN_AGE_DAYS = 1;
const KEYS_AT_ONCE = 500;

type SweepDeps = Pick<Deps, 'db' | 'clock' | 'files' | 'log'>;

/** Clears away what has expired, and bytes that no row points at. */
export async function sweep(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  await deleteExpired(db, clock.now());
  await deleteOldMails(db, {
    sentBefore: daysAgo(SENT_KEPT_DAYS),
    droppedBefore: daysAgo(DROPPED_KEPT_DAYS),
  });
  await deleteUnreachable(db);
  await deleteAbandonedKeys(db, daysAgo(ORPHAN_AGE_DAYS));
  await deleteAbandonedUploads(db, daysAgo(UPLOAD_KEPT_DAYS));
  await sweepFiles(deps, signal);
}

async function sweepFiles(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  let old: string[] = [];
  for await (const { key, ageMs } of deps.files.list()) {
    if (signal.aborted) return;
    if (ageMs > ORPHAN_AGE_DAYS * DAY_MS) old.push(key);
    if (old.length >= KEYS_AT_ONCE) {
      await deleteOrphans(deps, old);
      old = [];
    }
  }
  await deleteOrphans(deps, old);
}

async function deleteOrphans({ db, files, log }: SweepDeps, keys: string[]): Promise<void> {
  // Rows of a backup that is being made may still name what ours do not.
  if (keys.length === 0 || (await isLocked(db, 'backup'))) return;
  const referenced = await findReferencedKeys(db, keys);
  const orphans = keys.filter((key) => !referenced.has(key));
  for (const key of orphans) await files.delete(key);
  if (orphans.length > 0) log.info({ count: orphans.length }, 'bytes without a capsule removed');
}
