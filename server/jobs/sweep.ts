import { DAY_MS, UPLOAD_KEPT_DAYS } from '../../shared/limits.ts';
import { findBornAt } from '../db/server-state.ts';
import {
  deleteAbandonedKeys,
  deleteExpired,
  deleteOldMails,
  deleteUnreachable,
} from '../db/sweep.ts';
import { deleteAbandonedUploads } from '../db/uploads.ts';
import type { Deps } from '../deps.ts';
import { releaseFiles } from '../domain/stored-files.ts';
import { countUnnamed, LEFT_BY_A_CRASH, removeUnnamed } from '../domain/unnamed-files.ts';

const SENT_KEPT_DAYS = 90;
/** Dropped mail tells nobody anything; an address typed by a stranger should not stay. */
const DROPPED_KEPT_DAYS = 1;
/** Crashes leave a few. More than this, and more than this share of all, are for the operator. */
const UNNAMED_MAX = 20;
const UNNAMED_SHARE_MAX = 0.05;
const TOO_MANY_UNNAMED =
  'very many stored files have no row, and none of them is removed; see that DATABASE_URL, DATA_DIR and the bucket belong together and that no dump is still to be restored, then run "npm run fsck -- --delete-unnamed"';

type SweepDeps = Pick<Deps, 'db' | 'clock' | 'files' | 'log'> & Partial<Pick<Deps, 'mailer'>>;

/** Clears away what has expired, and bytes that no row points at. */
export async function sweep(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { db, clock, files, log, mailer } = deps;
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  const steps: Record<string, () => Promise<unknown>> = {
    expired: () => deleteExpired(db, clock.now()),
    mails: () =>
      deleteOldMails(db, {
        sentBefore: daysAgo(SENT_KEPT_DAYS),
        droppedBefore: daysAgo(DROPPED_KEPT_DAYS),
      }),
    outbox: async () => mailer?.removeOld?.(SENT_KEPT_DAYS * DAY_MS),
    unreachable: () => deleteUnreachable(db),
    keys: () => deleteAbandonedKeys(db, daysAgo(1)),
    uploads: async () =>
      releaseFiles(deps, await deleteAbandonedUploads(db, daysAgo(UPLOAD_KEPT_DAYS))),
    halfWritten: () => files.removeStale(LEFT_BY_A_CRASH.moreThanMs),
    unnamed: () => sweepFiles(deps, signal),
  };
  // One that fails must not keep the others from their turn.
  for (const [step, run] of Object.entries(steps)) {
    if (signal.aborted) return;
    await run().catch((error: unknown) => {
      log.error({ err: error, step }, 'a step of the sweep failed; it will run again');
    });
  }
}

/**
 * Removes bytes that no row names. Where they are many it is rather the database that is the wrong
 * one, or an old one: then they are counted and nothing else, and the operator decides.
 */
async function sweepFiles(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = deps;
  const { listed, unnamed } = await countUnnamed(deps, LEFT_BY_A_CRASH, signal);
  if (signal.aborted) return;
  if (unnamed > UNNAMED_MAX && unnamed > listed * UNNAMED_SHARE_MAX) {
    log.error({ listed, unnamed }, TOO_MANY_UNNAMED);
    return;
  }
  const bornAt = await findBornAt(db);
  if (unnamed === 0 || bornAt === null) return;
  // What is older was left by another database, which a dump may bring back.
  const atMostMs = clock.now().getTime() - bornAt.getTime();
  const count = await removeUnnamed(deps, { ...LEFT_BY_A_CRASH, atMostMs }, signal);
  if (count > 0) log.info({ count }, 'bytes without a capsule removed');
}
