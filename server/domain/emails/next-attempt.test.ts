import { expect, it } from 'vitest';
import { ATTEMPTS_MAX, retryDelay } from './next-attempt.ts';

const HOUR_MS = 3_600_000;

it('doubles from a minute and never waits longer than twelve hours', () => {
  expect([1, 2, 3, 4].map(retryDelay)).toEqual([60_000, 120_000, 240_000, 480_000]);
  expect(retryDelay(ATTEMPTS_MAX)).toBe(12 * HOUR_MS);
});

it('tries for thirty days, and not for 31', () => {
  let total = 0;
  for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt += 1) total += retryDelay(attempt);
  expect(total / HOUR_MS).toBeGreaterThan(30 * 24);
  expect(total / HOUR_MS).toBeLessThan(31 * 24);
});
