import { MEGABYTE } from '../../shared/limits.ts';
import { systemClock } from '../clock/clock.ts';
import { getConfig } from '../config.ts';
import { isHeld } from '../db/advisory-locks.ts';
import type { Database } from '../db/open.ts';
import { findLastSeen } from '../db/server-state.ts';
import type { Deps } from '../deps.ts';
import { acceptLoss, checkStored, type StoredReport } from '../domain/storage/check-stored.ts';
import { LEFT_BY_A_CRASH, removeOrphaned } from '../domain/storage/orphaned-files.ts';
import { assertOwnFiles } from '../domain/storage/store-identity.ts';
import { createFileStore, describeStore } from '../files/create-file-store.ts';
import { createIds } from '../ids.ts';
import { createLog } from '../log.ts';
import { StartError } from '../start-error.ts';
import { describeStartFailure } from '../start-failure.ts';
import { forPeople } from './for-people.ts';
import { withOperatorDatabase } from './operator-database.ts';

export interface FsckOptions {
  /** Compares lengths only. */
  quick?: boolean;
  deleteOrphaned?: boolean;
  acceptLoss?: boolean;
  /** Why the loss is accepted. */
  reason?: string | undefined;
}

/**
 * The operator's command `npm run fsck`: whether every row has its bytes and every hash is
 * right, in a restored backup or beside a running server. It changes nothing, unless it is told to
 * delete what no row has named for a day, or to accept that what it finds missing is lost.
 * @returns the lines to print; `ok` only when nothing is missing or damaged that was not accepted.
 */
async function runFsck(
  environment: Record<string, string | undefined>,
  options: FsckOptions = {},
): Promise<{ ok: boolean; lines: string[] }> {
  try {
    const config = getConfig(environment);
    const reason = options.reason?.trim();
    if (options.acceptLoss && !reason) throw new StartError(SAY_WHY);
    const files = await createFileStore(config);
    const log = createLog('silent');
    return await withOperatorDatabase(config, log, async (db) => {
      if (options.deleteOrphaned || options.acceptLoss) {
        await assertOwnFiles({ db, files }, describeStore(config));
      }
      const clock = systemClock;
      const report = await checkStored({ db, files, clock }, options);
      const lines = [...report.faults, ...report.back.map(isBack), summaryOf(report)];
      let faults = report.faults.length;
      if (options.acceptLoss && reason) {
        await acceptLoss({ db, clock, ids: createIds(clock) }, report, reason);
        faults -= report.faulty.length;
        lines.push(acceptedLine(report));
      }
      if (!options.deleteOrphaned) return { ok: faults === 0, lines };
      const removal = await deleteOrphaned({ db, files, log }, report);
      return { ok: faults === 0 && removal.ok, lines: [...lines, removal.line] };
    });
  } catch (error) {
    return { ok: false, lines: [describeStartFailure(error, null)] };
  }
}

export const fsck = forPeople(runFsck);

function summaryOf({ files, bytes, faults, orphaned, accepted }: StoredReport): string {
  const read = bytes > 0 ? `, ${Math.ceil(bytes / MEGABYTE)} MB read and hashed` : '';
  const lost = accepted > 0 ? ` Accepted as lost before: ${accepted}.` : '';
  const rest =
    orphaned > 0
      ? ` Stored without a row in the database: ${orphaned}. The server deletes a few of these by itself.`
      : '';
  return `${filesOf(files)} checked${read}: ${faults.length} missing or damaged.${lost}${rest}`;
}

const filesOf = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`;

const isBack = ({ owner, storageKey }: StoredReport['back'][number]) =>
  `${owner}: accepted as lost, but it is back (${storageKey}). With --accept-loss it can be opened again.`;

function acceptedLine({ faulty, back }: StoredReport): string {
  const again = back.length > 0 ? ` ${filesOf(back.length)} can be opened again.` : '';
  return `${filesOf(faulty.length)} accepted as lost. Whoever opens the capsule reads it there.${again}`;
}

/** Refuses with a database that names no file: it is the wrong one, and every file would be removed. */
async function deleteOrphaned(
  deps: Pick<Deps, 'db' | 'files' | 'log'>,
  report: StoredReport,
): Promise<{ ok: boolean; line: string }> {
  if (report.files === 0 && report.orphaned > 0) return { ok: false, line: NAMES_NOTHING };
  if (await isHeld(deps.db, 'backup')) return { ok: false, line: IS_COPIED };
  const removed = await removeOrphaned(deps, {
    ...LEFT_BY_A_CRASH,
    moreThanMs: Math.max(LEFT_BY_A_CRASH.moreThanMs, await silenceOf(deps.db)),
  });
  return { ok: true, line: removalLine(removed, report.orphaned - removed) };
}

function removalLine(removed: number, left: number): string {
  if (removed === 0 && left <= 0) return 'There is no file without a row, so nothing was deleted.';
  const stay =
    left > 0
      ? ` ${filesOf(left)} without a row stay for now: less than a day old, or newer than the last time the server ran on this database.`
      : '';
  return `Deleted ${filesOf(removed)} without a row.${stay}`;
}

/** For how long no server has run on this database: it cannot know files that are newer. */
async function silenceOf(db: Database): Promise<number> {
  const lastSeen = await findLastSeen(db);
  return lastSeen ? systemClock.now().getTime() - lastSeen.getTime() : Number.POSITIVE_INFINITY;
}

const SAY_WHY =
  'Please give a reason: npm run fsck -- --accept-loss --reason "the disk died, and the backup is older"';
const IS_COPIED =
  'A backup is being made, so nothing was deleted. Please try again when it is done.';
const NAMES_NOTHING =
  'This database names no file at all, so nothing was deleted. Are DATABASE_URL and DATA_DIR right?';
