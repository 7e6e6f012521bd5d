import { DAY_MS, REMOVED_KEPT_DAYS, UPLOAD_KEPT_DAYS } from '../../shared/limits.ts';
import { later } from '../clock/clock.ts';
import { removeUnreachable } from '../db/accounts/account-deletion.ts';
import { deleteExpired, deleteUnconfirmed } from '../db/accounts/sweep.ts';
import { emptyBins } from '../db/capsules/bin.ts';
import { deleteAbandonedKeys } from '../db/capsules/capsule-keys.ts';
import { deleteUsedChallenges } from '../db/doors/passkeys.ts';
import { deleteOldReports } from '../db/doors/reports.ts';
import { deleteDiscarded, deleteRemoved } from '../db/drafts/contributions.ts';
import { deleteGoneDrafts } from '../db/drafts/drafts.ts';
import { deleteOldEmails } from '../db/emails/old-emails.ts';
import { deleteAbandonedUploads } from '../db/storage/uploads.ts';
import type { Deps } from '../deps.ts';

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
type SweepDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mailer'>;

/** Deletes expired rows. What they named of files goes by `remove-files`. */
export async function sweep(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { db, clock, log, mailer } = deps;
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
    uploads: () => deleteAbandonedUploads(db, daysAgo(UPLOAD_KEPT_DAYS)),
    contributions: () => deleteDiscarded(db, daysAgo(UPLOAD_KEPT_DAYS)),
    removed: () => deleteRemoved(db, daysAgo(REMOVED_KEPT_DAYS)),
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
