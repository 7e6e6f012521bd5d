import { DAY_MS } from '../shared/limits.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** Corrections by time servers or people are smaller than this. */
const JUMP_MS = DAY_MS;

export interface ClockGuard extends Clock {
  /** The latest time of this clock, to be stored in the database. */
  reached(): Date;
  /** Tells the clock that another process has seen `instant`, so that it is never earlier. */
  raiseTo(instant: Date): void;
  /** Accepts the system clock, as the operator told us to. */
  accept(): void;
}

export interface ClockGuardOptions {
  system: Clock;
  /** Milliseconds of a clock that cannot be set. */
  monotonic: () => number;
  log: Log;
  /** The latest time of an earlier run. Null at the first start. */
  lastSeen: Date | null;
}

/**
 * The system clock, unless it jumps back by more than a day. Then time goes on from the latest
 * time seen, at its normal pace, until the system clock is within a day of it again. Open capsules
 * stay open, expired sessions and links stay expired, and new ones still expire. A jump forward is
 * followed and logged, because downtime looks the same.
 */
export function createClockGuard({
  system,
  monotonic,
  log,
  lastSeen,
}: ClockGuardOptions): ClockGuard {
  let reached = { at: (lastSeen ?? system.now()).getTime(), since: monotonic() };
  let holding = false;

  /** The time it must be by the monotonic clock. */
  const expected = () => reached.at + (monotonic() - reached.since);

  function setHolding(hold: boolean, systemTime: number): void {
    if (hold === holding) return;
    holding = hold;
    const instants = { systemClock: iso(systemTime), lastSeen: iso(expected()) };
    if (hold) {
      log.error(
        instants,
        'the system clock is more than a day before the last seen time and is not followed; set it right, or run "npm run clock:accept"',
      );
    } else {
      log.warn(instants, 'the system clock is followed again');
    }
  }

  function now(): Date {
    const time = system.now().getTime();
    const least = expected();
    setHolding(time < least - JUMP_MS, time);
    if (holding) return new Date(least);
    if (time > least + JUMP_MS) {
      log.warn(
        { systemClock: iso(time), lastSeen: iso(least) },
        'the clock is more than a day after the last seen time: a pause, or a jump forwards; capsules open by it',
      );
    }
    if (time > least) reached = { at: time, since: monotonic() };
    return new Date(time);
  }

  now();
  return {
    now,
    reached() {
      now();
      return new Date(expected());
    },
    raiseTo(instant) {
      if (instant.getTime() > expected()) {
        reached = { at: instant.getTime(), since: monotonic() };
      }
      now();
    },
    accept() {
      const time = system.now().getTime();
      log.warn(
        { systemClock: iso(time), lastSeen: iso(expected()) },
        'the system clock is accepted',
      );
      reached = { at: time, since: monotonic() };
      holding = false;
    },
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
