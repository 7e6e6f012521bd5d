import { migrateDatabase } from '../db/migrate.ts';
import { acceptStore } from '../domain/storage/store-identity.ts';
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
  return withOperatorDatabase<Said>(
    config,
    async ({ db, address, files, store }) => {
      await migrateDatabase({ address, log, allowNewer: config.allowNewerDatabase });
      await acceptStore({ db, files });
      return { ok: true, lines: [`The files in ${store} now belong to this database alone.`] };
    },
    { mayBeMoved: true },
  );
});
