import { MEGABYTE } from '../shared/limits.ts';
import { getConfig } from './config.ts';
import type { Deps } from './deps.ts';
import { checkStored, type StoredReport } from './domain/check-stored.ts';
import { LEFT_BY_A_CRASH, removeUnnamed } from './domain/unnamed-files.ts';
import { createFileStore } from './files/create-file-store.ts';
import { createLog } from './log.ts';
import { withOperatorDatabase } from './operator-database.ts';
import { StartError } from './start-error.ts';
import { describeStartFailure } from './start-failure.ts';

/**
 * The operator's command `npm run fsck`: whether every row has its bytes and every hash is
 * right, in a restored backup or beside a running server. It changes nothing, unless it is told to
 * delete what no row has named for a day.
 * @returns the lines to print; `ok` only when nothing is missing or damaged.
 */
export async function fsck(
  environment: Record<string, string | undefined>,
  options: { quick?: boolean; deleteUnnamed?: boolean } = {},
): Promise<{ ok: boolean; lines: string[] }> {
  try {
    const config = getConfig(environment);
    const files = createFileStore(config);
    const log = createLog('silent');
    return await withOperatorDatabase(config, log, async (db) => {
      const report = await checkStored({ db, files }, options);
      const lines = [...report.faults, summaryOf(report)];
      if (options.deleteUnnamed) lines.push(await deleteUnnamed({ db, files, log }, report));
      return { ok: report.faults.length === 0, lines };
    });
  } catch (error) {
    return { ok: false, lines: [describeStartFailure(error, null)] };
  }
}

function summaryOf({ files, bytes, faults, unnamed }: StoredReport): string {
  const read = bytes > 0 ? `, ${Math.ceil(bytes / MEGABYTE)} MB read and hashed` : '';
  const rest =
    unnamed > 0 ? ` ${unnamed} stored without a row; a few the server sweeps itself.` : '';
  return `${files} files looked at${read}: ${faults.length} missing or damaged.${rest}`;
}

/** @throws StartError: beside a wrong database every file there is would go. */
async function deleteUnnamed(
  deps: Pick<Deps, 'db' | 'files' | 'log'>,
  report: StoredReport,
): Promise<string> {
  if (report.files === 0 && report.unnamed > 0) throw new StartError(NAMES_NOTHING);
  const removed = await removeUnnamed(deps, LEFT_BY_A_CRASH);
  return `${removed} files without a row removed.`;
}

const NAMES_NOTHING =
  'This database names no file at all, so nothing was removed. Are DATABASE_URL and DATA_DIR right?';
