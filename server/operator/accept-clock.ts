import { systemClock } from '../clock/clock.ts';
import { waitNoLonger } from '../clock/clock-memory.ts';
import { migrateDatabase } from '../db/migrate.ts';
import { findLastSeen, resetLastSeen } from '../db/server-state.ts';
import { createLog } from '../log.ts';
import { forPeople } from './for-people.ts';
import { withOperatorDatabase } from './operator-database.ts';

/**
 * The operator's command `npm run clock:accept`: stores the system clock's time as the last time
 * seen, whether earlier or later. A running server follows within a minute, a stopped one at its
 * next start.
 */
export const acceptClock = forPeople((config) => {
  const log = createLog('silent');
  return withOperatorDatabase(config, async ({ db, address }) => {
    await migrateDatabase({ address, log, allowNewer: config.allowNewerDatabase });
    const before = await findLastSeen(db);
    const accepted = systemClock.now();
    await db.transaction(async (tx) => {
      await resetLastSeen(tx, accepted);
      await waitNoLonger(tx, accepted);
    });
    const last = before ? ` The last time seen was ${before.toISOString()}.` : '';
    const line = `The clock of this machine is accepted: ${accepted.toISOString()}.${last} A running server follows within a minute.`;
    return { ok: true, lines: [line] };
  });
});
