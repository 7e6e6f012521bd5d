import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../tests/support/database.ts';
import { isDatabaseAway, uniqueViolation } from './errors.ts';
import { serverState } from './schema.ts';

const database = await createTestDatabase();
afterAll(() => database.close());

test('a fresh database has the newest schema and no rows', async () => {
  expect(await database.db.select().from(serverState)).toEqual([]);
  expect(await database.db.$count(serverState)).toBe(0);
});

test('a row that exists already is told apart by the name of its constraint', async () => {
  const instant = new Date('2026-01-01T00:00:00Z');
  const row = { id: 1, lastSeenAt: instant, bornAt: instant };
  await database.db.insert(serverState).values(row);
  const error: unknown = await database.db
    .insert(serverState)
    .values(row)
    .catch((reason) => reason);
  expect(uniqueViolation(error)).toBe('server_state_pkey');
  expect(isDatabaseAway(error)).toBe(false);
});
