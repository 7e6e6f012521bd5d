import type { Clock } from '../../server/clock/clock.ts';

export interface TestClock extends Clock {
  /** @param instant ISO 8601, or a Date. */
  set(instant: string | Date): void;
  advance(by: { days?: number; hours?: number; minutes?: number; ms?: number }): void;
}

/** A clock that runs as the real one does, from wherever a test has set it. */
export function createTestClock(start: string | Date = new Date()): TestClock {
  let offset = 0;
  const clock: TestClock = {
    now: () => new Date(Date.now() + offset),
    set(instant) {
      offset = new Date(instant).getTime() - Date.now();
    },
    advance({ days = 0, hours = 0, minutes = 0, ms = 0 }) {
      offset += ((days * 24 + hours) * 60 + minutes) * 60_000 + ms;
    },
  };
  clock.set(start);
  return clock;
}
