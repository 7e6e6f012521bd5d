import { UNLOCK_YEARS_MAX } from '../../shared/limits.ts';

/** The source of time. Only this clock decides what is open. */
export interface Clock {
  now(): Date;
}

/**
 * No time of the server is later, whatever the system clock shows. Every time counted from it, the
 * last possible unlock day too, then has a year of four digits: PostgreSQL reads no other in the
 * way JavaScript writes it.
 */
export const LATEST = Date.UTC(9999 - UNLOCK_YEARS_MAX, 0);

/** The instant so many milliseconds after another one; before it for a negative number. */
export function later(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}

export const systemClock: Clock = { now: () => new Date(Math.min(Date.now(), LATEST)) };
