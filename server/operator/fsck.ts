import { MEGABYTE } from '../../shared/limits.ts';
import { systemClock } from '../clock/clock.ts';
import { acceptLoss, checkStored, type StoredReport } from '../domain/storage/check-stored.ts';
import { assertOwnFiles } from '../domain/storage/store-identity.ts';
import { createIds } from '../ids.ts';
import { StartError } from '../start-error.ts';
import { describeStartFailure } from '../start-failure.ts';
import { forPeople } from './for-people.ts';
import { withOperatorDatabase } from './operator-database.ts';

export interface FsckOptions {
  /** Compares lengths only. */
  quick?: boolean;
  acceptLoss?: boolean;
  /** Why the loss is accepted. */
  reason?: string | undefined;
}

/**
 * The operator's command `npm run fsck`: whether every row has its bytes and every hash is
 * right, in a restored backup or beside a running server. It changes nothing, unless it is told to
 * accept that what it finds missing is lost.
 * `ok` only when nothing is missing or damaged that was not accepted.
 */
export const fsck = forPeople(async (config, options: FsckOptions = {}) => {
  const reason = options.reason?.trim();
  if (options.acceptLoss && !reason) throw new StartError(SAY_WHY);
  return await withOperatorDatabase(config, async ({ db, files, store }) => {
    if (options.acceptLoss) await assertOwnFiles({ db, files }, store);
    const clock = systemClock;
    const report = await checkStored({ db, files, clock }, options);
    const lines = [...report.faults, summaryOf(report)];
    let faults = report.faults.length;
    if (options.acceptLoss && reason) {
      try {
        await acceptLoss({ db, files, clock, ids: createIds(clock) }, report, reason, store);
        faults -= report.faulty.length;
        lines.push(acceptedLine(report));
      } catch (error) {
        // What was found in hours is said all the same.
        return { ok: false, lines: [...lines, describeStartFailure(error, null)] };
      }
    }
    return { ok: faults === 0, lines };
  });
});

function summaryOf({ files, bytes, faults, accepted }: StoredReport): string {
  const read = bytes > 0 ? `, ${Math.ceil(bytes / MEGABYTE)} MB read and hashed` : '';
  const lost = accepted > 0 ? ` Accepted as lost before: ${accepted}.` : '';
  return `${filesOf(files)} checked${read}: ${faults.length} missing or damaged.${lost}`;
}

const filesOf = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`;

const acceptedLine = ({ faulty }: StoredReport) =>
  `${filesOf(faulty.length)} accepted as lost. Whoever opens the capsule reads it there.`;

const SAY_WHY =
  'Please give a reason: npm run fsck -- --accept-loss --reason "the disk died, and the backup is older"';
