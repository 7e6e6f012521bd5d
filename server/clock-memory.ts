import { RESET_LINK_MINUTES, VERIFICATION_LINK_HOURS } from '../shared/limits.ts';
import { type ClockGuard, type ClockGuardOptions, createClockGuard } from './clock-guard.ts';
import { endLeases } from './db/capsule-keys.ts';
import { endDatedAhead } from './db/dated-ahead.ts';
import { makeAllDue } from './db/mails.ts';
import type { Database, Queryable } from './db/open.ts';
import { findLastSeen, lockLastSeen, raiseLastSeen } from './db/server-state.ts';

const REMEMBER_EVERY_MS = 60_000;

export interface RememberingClock {
  clock: ClockGuard;
  /** Writes down how far time has come, and learns what other processes have written. */
  remember(): Promise<void>;
  /** Remembers once more, and then no longer. */
  stop(): Promise<void>;
}

/** The guarded clock together with its memory in the database, kept up to date every minute. */
export async function startClock({
  db,
  log,
  ...clocks
}: { db: Database } & Omit<ClockGuardOptions, 'lastSeen'>): Promise<RememberingClock> {
  let remembered = await findLastSeen(db);
  const clock = createClockGuard({ ...clocks, log, lastSeen: remembered });

  async function remember(): Promise<void> {
    await db.transaction(async (tx) => {
      const found = await lockLastSeen(tx);
      // It only ever rises, unless the operator has set it to the system clock.
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
    remember().catch((error: unknown) => log.warn({ err: error }, 'time could not be remembered'));
  }, REMEMBER_EVERY_MS);
  return {
    clock,
    remember,
    async stop() {
      clearInterval(timer);
      await remember();
    },
  };
}

/** What waits for an instant that was counted from a later time would wait for years, or last as long. */
export async function waitNoLonger(tx: Queryable, now: Date): Promise<void> {
  await makeAllDue(tx, now);
  await endLeases(tx, now);
  const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  await endDatedAhead(tx, now, {
    resets: inMinutes(RESET_LINK_MINUTES),
    verifications: inMinutes(VERIFICATION_LINK_HOURS * 60),
  });
}
