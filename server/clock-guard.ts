import { DAY_MS } from '../shared/limits.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** Corrections by time servers, and people setting a clock right, stay under this. */
const JUMP_MS = DAY_MS;

export interface ClockGuard extends Clock {
  /** The latest instant this clock has come to; what the database must remember. */
  reached(): Date;
  /** Another process, or an earlier run, has seen `instant`: time cannot be before it. */
  raiseTo(instant: Date): void;
  /** The operator says the system clock is right: believe it from now on. */
  accept(): void;
}

export interface ClockGuardOptions {
  system: Clock;
  /** Milliseconds since some fixed moment, by a clock that nobody can set. */
  monotonic: () => number;
  log: Log;
  /** What an earlier run has reached; null at the very first start. */
  lastSeen: Date | null;
}

/**
 * The system clock, except that it is not followed more than a day backwards. Then time runs
 * on from the latest instant seen, at its ordinary pace, until the system clock is within a
 * day of it again: what was open stays open, what had expired (a session, a reset link) does
 * not come back to life, and what is issued meanwhile still expires.
 * A jump forwards is followed, for downtime and a sleeping laptop look the same; it is logged.
 */
export function createClockGuard({
  system,
  monotonic,
  log,
  lastSeen,
}: ClockGuardOptions): ClockGuard {
  let reached = { at: (lastSeen ?? system.now()).getTime(), since: monotonic() };
  let holding = false;

  /** What time it is at least, if nothing but time has passed. */
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
