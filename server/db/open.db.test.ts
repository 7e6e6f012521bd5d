import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../tests/support/database.ts';
import { COMMAND, createClient, hasServer } from './client.ts';
import { isDatabaseAway, uniqueViolation } from './errors.ts';

import { prepared } from './prepared.ts';
import { serverState } from './schema.ts';

const database = await createTestDatabase();
afterAll(() => database.close());

test('a fresh database has the newest schema and no rows', async () => {
  expect(await database.db.select().from(serverState)).toEqual([]);
  expect(await database.db.$count(serverState)).toBe(0);
});

test('a command sees another one, which may wait for a yes, and not itself', async () => {
  const name = `${database.address.database}_commands`;
  await database.sql`create database ${database.sql(name)}`;
  const address = { ...database.address, database: name };
  const options = { log: pino({ level: 'silent' }), max: 1, connection: COMMAND };
  const [asks, waits] = [createClient(address, options), createClient(address, options)];
  expect(await hasServer(asks)).toBe(false);
  await waits`select 1`;
  expect(await hasServer(asks)).toBe(true);
  await Promise.all([asks.end(), waits.end()]);
  await database.sql`drop database ${database.sql(name)}`;
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

test('statements are prepared in transactions as well, unless they are long lists', async () => {
  const list = sql`select ${sql.join(
    Array.from({ length: 700 }, (_, number) => sql`${number}::int`),
    sql`, `,
  )}`;
  const known = await database.db.transaction(async (tx) => {
    await tx.execute(sql`select ${1}::int as outer`);
    await tx.execute(list);
    await tx.transaction((inner) => inner.execute(sql`select ${1}::int as inner`));
    return tx.execute(sql`select statement from pg_prepared_statements where name <> ''`);
  });
  const statements = known.map(({ statement }) => statement);
  expect(statements).toContain('select $1::int as outer');
  expect(statements).toContain('select $1::int as inner');
  expect(statements.filter((statement) => String(statement).includes('$700'))).toEqual([]);
});

test('a long statement that is the same at each call is prepared too', async () => {
  const note = sql.raw(`/* ${'long '.repeat(500)}*/`);
  const fixed = prepared((db) =>
    db
      .select({ given: sql`${sql.placeholder('given')}::int ${note}` })
      .from(sql`(values (1)) as one`)
      .prepare('fixed'),
  );
  const known = await database.db.transaction(async (tx) => {
    await fixed(tx).execute({ given: 1 });
    return tx.execute(sql`select statement from pg_prepared_statements where name <> ''`);
  });
  const statements = known.map(({ statement }) => String(statement));
  expect(statements.filter((statement) => statement.includes('long long'))).toHaveLength(1);
});
