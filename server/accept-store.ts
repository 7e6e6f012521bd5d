import { getConfig } from './config.ts';
import { migrateDatabase } from './db/migrate.ts';
import { acceptStore } from './domain/store-identity.ts';
import { createFileStore, describeStore } from './files/create-file-store.ts';
import { createLog } from './log.ts';
import { withOperatorDatabase } from './operator-database.ts';
import { describeStartFailure } from './start-failure.ts';

/**
 * The operator's command `npm run store:accept`: marks the configured store as that of the
 * database, after files were lost or brought together with another database. @returns the line to
 * print
 */
export async function acceptStoreOfDatabase(
  environment: Record<string, string | undefined>,
): Promise<{ ok: boolean; line: string }> {
  const log = createLog('silent');
  try {
    const config = getConfig(environment);
    return await withOperatorDatabase(config, log, async (db, address) => {
      await migrateDatabase({ address, log });
      await acceptStore({ db, files: await createFileStore(config) });
      return {
        ok: true,
        line: `The files in ${describeStore(config)} now belong to this database.`,
      };
    });
  } catch (error) {
    return { ok: false, line: describeStartFailure(error, null) };
  }
}
