import { migrateDatabase } from '../db/migrate.ts';
import { acceptStore } from '../domain/storage/store-identity.ts';
import { createFileStore, describeStore } from '../files/create-file-store.ts';
import { createLog } from '../log.ts';
import { forPeople, type Said } from './for-people.ts';
import { withOperatorDatabase } from './operator-database.ts';

/**
 * The operator's command `npm run store:accept`: marks the configured store as that of the
 * database, after files were lost or brought together with another database. Also the way back to
 * a database that was moved.
 */
export const acceptStoreOfDatabase = forPeople((config) => {
  const log = createLog('silent');
  const where = describeStore(config);
  const accept: Parameters<typeof withOperatorDatabase<Said>>[2] = async (db, address) => {
    await migrateDatabase({ address, log, allowNewer: config.allowNewerDatabase });
    await acceptStore({ db, files: await createFileStore(config) });
    return { ok: true, lines: [`The files in ${where} now belong to this database alone.`] };
  };
  return withOperatorDatabase(config, log, accept, { mayBeMoved: true });
});
