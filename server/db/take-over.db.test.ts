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

test('a database with all migrations of before 1.0.0 is taken over, once', async () => {
  await note([EARLIER, LAST]);
  const before = await database.sql`select * from users`;
  await Promise.all([migrate(), migrate()]);
  expect(await journal()).toEqual(OF_OURS);
  expect([...(await database.sql`select * from users`)]).toEqual([...before]);
  await migrate();
  expect(await journal()).toEqual(OF_OURS);
});

test('what servers of before have written otherwise is filled in', async () => {
  await note([EARLIER, LAST]);
  const { sql } = database;
  const capsules = [await addCapsule(1, 2), await addCapsule(2, 2), await addCapsule(0, 0)];
  const [email] = await sql`insert into emails (id, kind, user_id, is_about_capsules, created_at)
    select gen_random_uuid(), 'invitation', id, true, now() from users returning id`;
  for (const [at, cause] of ['first', 'unanswered', 'repeat'].entries()) {
    await sql`insert into sendings (id, email_id, number, cause, urgency, next_attempt_at, created_at)
      values (gen_random_uuid(), ${email?.id}, ${at + 1}, ${cause}, 1, now(), now())`;
  }
  await migrate();
  const rows = await sql`select id, media_count from capsules`;
  const counts = capsules.map((id) => rows.find((row) => row.id === id)?.media_count);
  expect(counts).toEqual([2, 2, 0]);
  const second = await sql`select cause from sendings where is_second_try`;
  expect([...second]).toEqual([{ cause: 'unanswered' }]);
});

async function addCapsule(mediaCount: number, files: number): Promise<string> {
  const { sql } = database;
  const [row] =
    await sql`insert into capsules (id, creator_id, title, description, personal_message,
      date_to_unlock, time_zone, unlock_at, notify_recipient, media_count, total_bytes, created_at)
    select gen_random_uuid(), id, 'To Mia', 'x', '', '2040-01-01', 'UTC', '2040-01-01', false,
      ${mediaCount}, ${files}, now() from users returning id`;
  await sql`insert into capsule_files (id, capsule_id, position, name, type, bytes, sha256, storage_key)
    select gen_random_uuid(), ${row?.id}, at, 'a.pdf', 'application/pdf', 1, 'x', gen_random_uuid()
    from generate_series(1, ${files}::int) at`;
  return String(row?.id);
}

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
