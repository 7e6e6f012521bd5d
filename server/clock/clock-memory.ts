import { DAY_MS } from '../../shared/limits.ts';
import { makeAllDue } from '../db/emails/emails.ts';
import type { Database, Queryable } from '../db/open.ts';
import { endDatedAhead } from '../db/operator/dated-ahead.ts';
import { findLastSeen, lockLastSeen, raiseLastSeen } from '../db/server-state.ts';
import { StartError } from '../start-error.ts';
import { type ClockGuardOptions, createClockGuard } from './clock-guard.ts';

const REMEMBER_EVERY_MS = 60_000;
/** No server is off for longer. A clock this far ahead is wrong, and would open nearly every capsule. */
const PAUSE_MAX_YEARS = 20;
const PAUSE_MAX_MS = PAUSE_MAX_YEARS * 365.25 * DAY_MS;

/**
 * Starts the guarded clock and stores its time in the database every minute. @throws StartError if
 * the system clock is more than 20 years after the last seen time
 */
export async function startClock({
  db,
  log,
  ...clocks
}: { db: Database } & Omit<ClockGuardOptions, 'lastSeen'>) {
  let remembered = await findLastSeen(db);
  if (remembered) refuseFarAhead(clocks.system.now(), remembered);
  const clock = createClockGuard({ ...clocks, log, lastSeen: remembered });

  /** Stores the latest time, and reads what other processes have stored. */
  async function remember(): Promise<void> {
    await db.transaction(async (tx) => {
      const found = await lockLastSeen(tx);
      // A stored time that fell means that the operator has accepted the system clock.
      if (found && remembered && found < remembered) {
        clock.accept();
        await waitNoLonger(tx, clock.now());
      }
      remembered = await raiseLastSeen(tx, clock.reached());
      clock.raiseTo(remembered);
    });
  }

  await remember();
  const timer = setInterval(() => {
    remember().catch((error: unknown) => log.warn({ err: error }, 'The time could not be saved.'));
  }, REMEMBER_EVERY_MS);
  return {
    clock,
    remember,
    /** Stores the time once more and stops. */
    async stop() {
      clearInterval(timer);
      await remember();
    },
  };
}

function refuseFarAhead(systemTime: Date, lastSeen: Date): void {
  if (systemTime.getTime() - lastSeen.getTime() <= PAUSE_MAX_MS) return;
  throw new StartError(
    `The system clock shows ${systemTime.toISOString()}, more than ${PAUSE_MAX_YEARS} years after the last time seen, ${lastSeen.toISOString()}. Set it right, or run "npm run clock:accept" if it is right.`,
  );
}

/** Ends waits and leases that were counted from a later time: they would last for years. */
export async function waitNoLonger(tx: Queryable, now: Date): Promise<void> {
  await makeAllDue(tx, now);
  await endDatedAhead(tx, now);
}
