const MINUTE_MS = 60_000;
const LONGEST_MS = 12 * 60 * MINUTE_MS;

/** With the delays below, the last attempt is a little over thirty days after the first. */
export const ATTEMPTS_MAX = 70;

/** The delay after an attempt, counted from 1: 1, 2, 4 … minutes, at most 12 hours. */
export function retryDelay(attempts: number): number {
  return Math.min(MINUTE_MS * 2 ** (attempts - 1), LONGEST_MS);
}
