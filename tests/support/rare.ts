import { it } from 'vitest';

/**
 * A test of a rarer state, another order or a slower way: `npm run test:all` runs it, `npm test`
 * leaves it out. docs/testing.md says which and why.
 */
export function rare(name: string, run: () => Promise<void>): void {
  if (process.env.TEST_ALL) it(name, run);
}
