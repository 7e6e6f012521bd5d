import { DAY_MS } from '../../shared/limits.ts';
import type { Log } from '../log.ts';
import { type Clock, LATEST } from './clock.ts';

/** Corrections by time servers or people are smaller than this. */
const JUMP_MS = DAY_MS;
/** A step of the system clock that its operator should know of. */
const STEP_MS = 600_000;

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
 * followed, because downtime looks the same. Every step is logged.
 */
export function createClockGuard({
  system,
  monotonic,
  log,
  lastSeen,
}: ClockGuardOptions): ClockGuard {
  let reached = { at: (lastSeen ?? system.now()).getTime(), since: monotonic() };
  /** What the system clock showed when it was last read, and when that was. */
  let seen: { at: number; since: number } | null = null;
  let holding = false;

  const timeFrom = (past: { at: number; since: number }) => past.at + (monotonic() - past.since);
  /** The time it must be by the monotonic clock. */
  const expected = () => Math.min(timeFrom(reached), LATEST);

  function setHolding(hold: boolean, systemTime: number): void {
    holding = hold;
    const instants = { systemClock: iso(systemTime), lastSeen: iso(expected()) };
    if (hold) {
      log.error(
        instants,
        'The system clock is more than a day before the last seen time, and is not followed. Set it right, or run "npm run clock:accept".',
      );
    } else {
      log.warn(instants, 'The system clock is followed again.');
    }
  }

  /** Logs a step since the last look, or since the earlier run. */
  function logStep(time: number, should: number): void {
    if (Math.abs(time - should) <= STEP_MS) return;
    log.warn(
      { systemClock: iso(time), expected: iso(should) },
      time > should
        ? 'The system clock is more than 10 minutes after the last seen time, after a pause or a step forwards. Capsules open by it.'
        : 'The system clock was set back by more than 10 minutes.',
    );
  }

  function now(): Date {
    const time = Math.min(system.now().getTime(), LATEST);
    const least = expected();
    const hold = time < least - JUMP_MS;
    // One line a step: whether the clock is followed says more.
    if (hold !== holding) setHolding(hold, time);
    else logStep(time, seen ? timeFrom(seen) : least);
    seen = { at: time, since: monotonic() };
    if (holding) return new Date(least);
    if (time > least) reached = seen;
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
      const time = Math.min(system.now().getTime(), LATEST);
      log.warn(
        { systemClock: iso(time), lastSeen: iso(expected()) },
        'The system clock is accepted.',
      );
      reached = { at: time, since: monotonic() };
      seen = reached;
      holding = false;
    },
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
