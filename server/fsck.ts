import { MEGABYTE } from '../shared/limits.ts';
import { systemClock } from './clock.ts';
import { getConfig } from './config.ts';
import { isHeld } from './db/advisory-locks.ts';
import type { Database } from './db/open.ts';
import { findLastSeen } from './db/server-state.ts';
import type { Deps } from './deps.ts';
import { checkStored, type StoredReport } from './domain/check-stored.ts';
import { LEFT_BY_A_CRASH, removeOrphaned } from './domain/orphaned-files.ts';
import { assertOwnFiles } from './domain/store-identity.ts';
import { createFileStore, describeStore } from './files/create-file-store.ts';
import { createLog } from './log.ts';
import { withOperatorDatabase } from './operator-database.ts';
import { describeStartFailure } from './start-failure.ts';

/**
 * The operator's command `npm run fsck`: whether every row has its bytes and every hash is
 * right, in a restored backup or beside a running server. It changes nothing, unless it is told to
 * delete what no row has named for a day.
 * @returns the lines to print; `ok` only when nothing is missing or damaged.
 */
export async function fsck(
  environment: Record<string, string | undefined>,
  options: { quick?: boolean; deleteOrphaned?: boolean } = {},
): Promise<{ ok: boolean; lines: string[] }> {
  try {
    const config = getConfig(environment);
    const files = await createFileStore(config);
    const log = createLog('silent');
    return await withOperatorDatabase(config, log, async (db) => {
      if (options.deleteOrphaned) await assertOwnFiles({ db, files }, describeStore(config));
      const report = await checkStored({ db, files }, options);
      const lines = [...report.faults, summaryOf(report)];
      const ok = report.faults.length === 0;
      if (!options.deleteOrphaned) return { ok, lines };
      const removal = await deleteOrphaned({ db, files, log }, report);
      return { ok: ok && removal.ok, lines: [...lines, removal.line] };
    });
  } catch (error) {
    return { ok: false, lines: [describeStartFailure(error, null)] };
  }
}

function summaryOf({ files, bytes, faults, orphaned }: StoredReport): string {
  const read = bytes > 0 ? `, ${Math.ceil(bytes / MEGABYTE)} MB read and hashed` : '';
  const rest =
    orphaned > 0 ? ` ${orphaned} stored without a row; the server removes a few by itself.` : '';
  return `${files} files looked at${read}: ${faults.length} missing or damaged.${rest}`;
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
  return { ok: true, line: `${removed} files without a row removed.` };
}

/** For how long no server has run on this database: it cannot know files that are newer. */
async function silenceOf(db: Database): Promise<number> {
  const lastSeen = await findLastSeen(db);
  return lastSeen ? systemClock.now().getTime() - lastSeen.getTime() : Number.POSITIVE_INFINITY;
}

const IS_COPIED =
  'A backup is being made, so nothing was removed. Please try again when it is done.';
const NAMES_NOTHING =
  'This database names no file at all, so nothing was removed. Are DATABASE_URL and DATA_DIR right?';
