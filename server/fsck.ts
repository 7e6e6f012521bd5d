import { MEGABYTE } from '../shared/limits.ts';
import { getConfig } from './config.ts';
import { checkStored, type StoredReport } from './domain/check-stored.ts';
import { createFileStore } from './files/create-file-store.ts';
import { createLog } from './log.ts';
import { withOperatorDatabase } from './operator-database.ts';
import { describeStartFailure } from './start-failure.ts';

/**
 * The operator's command `npm run fsck`: whether every row has its bytes and every hash is
 * right, in a restored backup or beside a running server. It changes nothing.
 * @returns the lines to print; `ok` only when nothing is missing or damaged.
 */
export async function fsck(
  environment: Record<string, string | undefined>,
  options: { quick?: boolean } = {},
): Promise<{ ok: boolean; lines: string[] }> {
  try {
    const config = getConfig(environment);
    const files = createFileStore(config);
    const report = await withOperatorDatabase(config, createLog('silent'), (db) =>
      checkStored({ db, files }, options),
    );
    return { ok: report.faults.length === 0, lines: [...report.faults, summaryOf(report)] };
  } catch (error) {
    return { ok: false, lines: [describeStartFailure(error, null)] };
  }
}

function summaryOf({ files, bytes, faults, unnamed }: StoredReport): string {
  const read = bytes > 0 ? `, ${Math.ceil(bytes / MEGABYTE)} MB read and hashed` : '';
  const rest = unnamed > 0 ? ` ${unnamed} stored without a row; the server sweeps them.` : '';
  return `${files} files looked at${read}: ${faults.length} missing or damaged.${rest}`;
}
