import { getConfig } from '../config.ts';
import type { DatabaseAddress } from '../db/client.ts';
import { migrateDatabase } from '../db/migrate.ts';
import type { Database } from '../db/open.ts';
import { acceptStore } from '../domain/storage/store-identity.ts';
import { createFileStore, describeStore } from '../files/create-file-store.ts';
import { createLog } from '../log.ts';
import { describeStartFailure } from '../start-failure.ts';
import { forPeople } from './for-people.ts';
import { withOperatorDatabase } from './operator-database.ts';

/**
 * The operator's command `npm run store:accept`: marks the configured store as that of the
 * database, after files were lost or brought together with another database. Also the way back to
 * a database that was moved. @returns the line to print
 */
async function runAcceptStoreOfDatabase(
  environment: Record<string, string | undefined>,
): Promise<{ ok: boolean; line: string }> {
  const log = createLog('silent');
  try {
    const config = getConfig(environment);
    const accept = async (db: Database, address: DatabaseAddress) => {
      await migrateDatabase({ address, log, allowNewer: config.allowNewerDatabase });
      await acceptStore({ db, files: await createFileStore(config) });
    };
    await withOperatorDatabase(config, log, accept, { mayBeMoved: true });
    const where = describeStore(config);
    return { ok: true, line: `The files in ${where} now belong to this database alone.` };
  } catch (error) {
    return { ok: false, line: describeStartFailure(error, null) };
  }
}

export const acceptStoreOfDatabase = forPeople(runAcceptStoreOfDatabase);
