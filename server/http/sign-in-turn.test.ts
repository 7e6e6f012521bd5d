import { expect, it } from 'vitest';
import { createClientLimits } from '../client-limits.ts';
import { guessDelay } from './sign-in-turn.ts';

it('sign-ins to one account from new places wait longer, the more there were', async () => {
  const limits = createClientLimits({ rateLimits: true }, null);
  const waits = new Map<number, number>();
  for (let count = 0; count < 120; count += 1) {
    const ms = await guessDelay(limits, 'ada@example.org');
    waits.set(ms, (waits.get(ms) ?? 0) + 1);
  }
  expect([...waits]).toEqual([
    [0, 10],
    [500, 90],
    [2_000, 20],
  ]);
  expect(await guessDelay(limits, 'bob@example.org')).toBe(0);
});
