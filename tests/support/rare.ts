import { it } from 'vitest';

/**
 * A test of a rarer state, another order or a slower way: `npm run test:all` runs it, `npm test`
 * leaves it out. docs/testing.md says which and why.
 */
export function rare(name: string, run: () => Promise<void>, timeoutMs?: number): void {
  if (process.env.TEST_ALL) it(name, run, timeoutMs);
}

/** Of the cases of a test the first one; `npm run test:all` has all of them. */
export function firstOf<Case>(cases: Case[]): Case[] {
  return process.env.TEST_ALL ? cases : cases.slice(0, 1);
}
