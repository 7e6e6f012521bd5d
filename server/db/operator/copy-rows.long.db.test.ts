import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database.ts';
import { START } from '../../../tests/support/mail-world.ts';
import { createClient } from '../client.ts';
import { findMovedTo, raiseLastSeen, UNFINISHED } from '../server-state.ts';
import { copyRows } from './copy-rows.ts';

let source: TestDatabase;
let target: TestDatabase;
beforeAll(async () => {
  source = await createTestDatabase();
  target = await createTestDatabase();
});
afterAll(() => Promise.all([source.close(), target.close()]));

const connect = ({ address }: TestDatabase) =>
  createClient(address, { log: pino({ level: 'silent' }), max: 1 });

it('copies tables of any size, and says that the copy is unfinished', async () => {
  await raiseLastSeen(source.db, START);
  const [from, to] = [connect(source), connect(target)];
  // The driver stopped now and then, depending on where a table's last rows ended.
  for (const people of [10, 40, 150, 400, 1_000, 3_000, 10_000]) {
    await source.sql`delete from users`;
    await source.sql`insert into users (id, email, name, password_hash, created_at)
      select gen_random_uuid(), n || '@example.org', repeat('Name', 20), 'none', '2030-01-01'
      from generate_series(1, ${people}::int) n`;
    expect(await copyRows(from, to)).toBe(people + 1);
  }
  await Promise.all([from.end(), to.end()]);
  expect(await findMovedTo(target.db)).toBe(UNFINISHED);
});
