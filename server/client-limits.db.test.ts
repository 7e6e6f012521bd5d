import { expect, test } from 'vitest';
import { sharedDatabase } from '../tests/support/database.ts';
import { createClientLimits } from './client-limits.ts';

const database = sharedDatabase();

test.each([
  ['of this process', () => null],
  ['in the database', () => database.db],
])('an attempt that was given back can be taken again: counts %s', async (_, db) => {
  const limits = createClientLimits({ rateLimits: true }, db());
  const take = async () => limits.take('waitingToOne', 'ada bob');
  await limits.tryTake('waitingToOne', 'ada bob', 9);
  await take();
  await limits.giveBack('waitingToOne', 'ada bob', 1);
  await take();
  for (let time = 0; time < 2; time += 1) {
    await expect(take()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  }
});
