import { DAY_MS, REMOVED_KEPT_DAYS, UPLOAD_KEPT_DAYS } from '../../shared/limits.ts';
import { later } from '../clock/clock.ts';
import { removeUnreachable } from '../db/accounts/account-deletion.ts';
import { deleteExpired, deleteUnconfirmed } from '../db/accounts/sweep.ts';
import { isHeld } from '../db/advisory-locks.ts';
import { emptyBins } from '../db/capsules/bin.ts';
import { deleteAbandonedKeys } from '../db/capsules/capsule-keys.ts';
import { deleteUsedChallenges } from '../db/doors/passkeys.ts';
import { deleteOldReports } from '../db/doors/reports.ts';
import { deleteDiscarded, deleteRemoved } from '../db/drafts/contributions.ts';
import { deleteGoneDrafts } from '../db/drafts/drafts.ts';
import { deleteOldEmails } from '../db/emails/old-emails.ts';
import { claimListing, releaseListing } from '../db/server-state.ts';
import { deleteAbandonedUploads } from '../db/storage/uploads.ts';
import type { Deps } from '../deps.ts';
import {
  countOrphaned,
  LEFT_BY_A_CRASH,
  removeOrphaned,
} from '../domain/storage/orphaned-files.ts';
import { noteUse } from '../domain/storage/store-identity.ts';
import { releaseFiles } from '../domain/storage/stored-files.ts';

/** Emails that are about no capsule, once they were sent or given up. */
const ENDED_KEPT_DAYS = 90;
/** Dropped emails are of no use, and an address typed by a stranger should not stay. */
const DROPPED_KEPT_DAYS = 1;
/** The operator may have to explain what was done, or why nothing was. */
const ANSWERED_REPORTS_KEPT_DAYS = 180;
/** Whether it was answered or not. */
const REPORTS_KEPT_DAYS = 730;
/** Accounts without anything in them, whose address nobody has confirmed. */
const UNCONFIRMED_KEPT_DAYS = 30;
/** A device that has not been used for so long does not hear that a draft is gone. */
const GONE_DRAFTS_KEPT_DAYS = 400;
/**
 * Crashes orphan a few files. If there are more than this number and this share of all, the
 * operator decides.
 */
const ORPHANED_MAX = 20;
const ORPHANED_SHARE_MAX = 0.05;
const TOO_MANY_ORPHANED =
  'Very many stored files have no row, so none of them was deleted. Check that DATABASE_URL, DATA_DIR and the bucket belong together, and that no dump is still to be restored. Then run "npm run fsck -- --delete-orphaned".';

type SweepDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'files' | 'log' | 'mailer'>;

/** Deletes expired rows and orphaned files. */
export async function sweep(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { db, clock, files, log, mailer } = deps;
  const daysAgo = (days: number) => later(clock.now(), -days * DAY_MS);
  const steps: Record<string, () => Promise<unknown>> = {
    expired: () => deleteExpired(db, clock.now()),
    challenges: () => deleteUsedChallenges(db, clock.now()),
    emails: () =>
      deleteOldEmails(db, {
        endedBefore: daysAgo(ENDED_KEPT_DAYS),
        droppedBefore: daysAgo(DROPPED_KEPT_DAYS),
      }),
    outbox: async () => mailer.removeOld?.(ENDED_KEPT_DAYS * DAY_MS),
    unconfirmed: () => sweepUnconfirmed(deps, daysAgo(UNCONFIRMED_KEPT_DAYS), signal),
    reports: () =>
      deleteOldReports(db, {
        answeredBefore: daysAgo(ANSWERED_REPORTS_KEPT_DAYS),
        madeBefore: daysAgo(REPORTS_KEPT_DAYS),
      }),
    bins: () => emptyBins(db, clock.now()),
    unreachable: () => db.transaction(removeUnreachable),
    drafts: () => deleteGoneDrafts(db, daysAgo(GONE_DRAFTS_KEPT_DAYS)),
    keys: () => deleteAbandonedKeys(db, daysAgo(1)),
    uploads: async () =>
      releaseFiles(deps, await deleteAbandonedUploads(db, daysAgo(UPLOAD_KEPT_DAYS))),
    contributions: () => deleteDiscarded(db, daysAgo(UPLOAD_KEPT_DAYS)),
    removed: () => deleteRemoved(db, daysAgo(REMOVED_KEPT_DAYS)),
    halfWritten: () => files.removeStale(LEFT_BY_A_CRASH.moreThanMs),
    orphaned: () => sweepFilesDaily(deps, signal),
  };
  // A step that fails must not stop the steps after it.
  for (const [step, run] of Object.entries(steps)) {
    if (signal.aborted) return;
    await run().catch((error: unknown) => {
      log.error({ err: error, step }, 'A step of the sweep failed. It will run again.');
    });
  }
}

/** Anybody can register any address: accounts that nobody confirms must not pile up. */
async function sweepUnconfirmed(
  { config, db, log }: SweepDeps,
  createdBefore: Date,
  signal: AbortSignal,
): Promise<void> {
  // Where nobody has to confirm an address, these are people.
  if (!config.emailVerification) return;
  let count = 0;
  for (let some = 1; some > 0 && !signal.aborted; ) {
    some = await deleteUnconfirmed(db, createdBefore);
    count += some;
  }
  if (count > 0) log.info({ count }, 'Deleted accounts that nobody confirmed.');
}

/** Lists the store once a day, in one of all processes: a large one takes minutes and costs money. */
async function sweepFilesDaily(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  if (await isHeld(db, 'backup')) return;
  await noteUse(deps);
  const now = clock.now();
  const notAfter = later(now, -DAY_MS);
  const claimed = await claimListing(db, { now, notAfter });
  if (!claimed) return;
  let isDone = false;
  try {
    await sweepFiles(deps, claimed.bornAt, signal);
    isDone = !signal.aborted;
  } finally {
    if (!isDone) await releaseListing(db);
  }
}

/**
 * Removes orphaned files. When there are very many, the server is more likely on the wrong database
 * or on an old dump than full of orphans: then nothing is removed, and the operator decides.
 */
async function sweepFiles(deps: SweepDeps, bornAt: Date, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps;
  const { listed, orphaned } = await countOrphaned(deps, LEFT_BY_A_CRASH, signal);
  if (signal.aborted) return;
  if (orphaned > ORPHANED_MAX && orphaned > listed * ORPHANED_SHARE_MAX) {
    log.error({ listed, orphaned }, TOO_MANY_ORPHANED);
    return;
  }
  if (orphaned === 0) return;
  // Older files belong to an earlier database, which a dump may still restore.
  const atMostMs = clock.now().getTime() - bornAt.getTime();
  const count = await removeOrphaned(deps, { ...LEFT_BY_A_CRASH, atMostMs }, signal);
  if (count > 0) log.info({ count }, 'Deleted stored files that belong to no capsule.');
}
