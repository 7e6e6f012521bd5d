import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { sharedDatabase } from '../../tests/support/database.ts';
import { projectRoot } from '../project-root.ts';
import { migrateDatabase } from './migrate.ts';
import { COMMIT_BEFORE, LAST_BEFORE } from './take-over.ts';

const database = sharedDatabase();
const ours = readMigrationFiles({ migrationsFolder: join(projectRoot, 'migrations') });

interface Step {
  hash: string;
  created_at: number;
}
const EARLIER = { hash: 'an earlier one', created_at: LAST_BEFORE.createdAt - 1 };
const LAST = { hash: LAST_BEFORE.hash, created_at: LAST_BEFORE.createdAt };
const OF_OURS = ours.map(({ hash, folderMillis }) => ({ hash, created_at: String(folderMillis) }));

/** The tables of before, which are those of our first migration. */
beforeEach(async () => {
  await database.sql.unsafe('drop schema public cascade; create schema public');
  for (const statement of ours[0]?.sql ?? []) await database.sql.unsafe(statement);
  await database.sql`insert into users (id, email, name, created_at)
    values (gen_random_uuid(), 'ada@example.org', 'Ada', now())`;
});

/** Makes the journal one of a database of before. */
async function note(steps: Step[]): Promise<void> {
  const { sql } = database;
  await sql`delete from drizzle.__drizzle_migrations`;
  await sql`insert into drizzle.__drizzle_migrations ${sql(steps)}`;
}

async function journal() {
  return [
    ...(await database.sql`select hash, created_at from drizzle.__drizzle_migrations order by id`),
  ];
}

function migrate(): Promise<void> {
  return migrateDatabase({ address: database.address, log: pino({ level: 'silent' }) });
}

test('a database with all migrations of before 1.0.0 is taken over as it is', async () => {
  await note([EARLIER, LAST]);
  const before = await database.sql`select * from users`;
  await Promise.all([migrate(), migrate()]);
  expect(await journal()).toEqual(OF_OURS);
  expect([...(await database.sql`select * from users`)]).toEqual([...before]);
  await migrate();
  expect(await journal()).toEqual(OF_OURS);
});

test.each([
  ['lacks some of them', [EARLIER]],
  ['has another one in place of the last', [EARLIER, { ...LAST, hash: 'made up' }]],
])('a database that %s is refused by one line, and stays', async (_, steps) => {
  await note(steps);
  const before = await journal();
  const line = new RegExp(`^This database is from before .* ${COMMIT_BEFORE} once .*upgrading.md`);
  await expect(migrate()).rejects.toThrow(line);
  expect(await journal()).toEqual(before);
});
