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

/** Makes of our tables those of before. */
const BACK = `
  alter table users drop column address_asked_at, drop column admitted_at, drop column deletion_due_at,
    drop column deletion_capsules, add column address_check_due_at timestamptz;
  create index users_address_check on users (address_check_due_at) where password_hash is not null;
  alter table sessions drop column confirmed_until;
  create table admissions (user_id uuid primary key references users on delete cascade,
    created_at timestamptz not null);
  create table ordered_deletions (user_id uuid primary key references users on delete cascade,
    capsules text not null, ordered_at timestamptz not null, due_at timestamptz not null);
  create table identity_confirmations (session_id text primary key references sessions on delete cascade,
    expires_at timestamptz not null)`;

let tablesOfOurs: unknown[];

beforeEach(async () => {
  await database.sql.unsafe('drop schema public cascade; create schema public');
  for (const statement of ours[0]?.sql ?? []) await database.sql.unsafe(statement);
  tablesOfOurs = await tables();
  await database.sql.unsafe(BACK);
  await database.sql`insert into users (id, email, name, created_at, address_check_due_at)
    values (gen_random_uuid(), 'ada@example.org', 'Ada', now(), '2031-01-01T00:00Z')`;
});

/** Columns, constraints and indexes. */
async function tables(): Promise<unknown[]> {
  return [
    ...(await database.sql`
      select table_name::text || ' ' || column_name || ' ' || data_type || is_nullable as what
        from information_schema.columns where table_schema = 'public'
      union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
        from pg_constraint where connamespace = 'public'::regnamespace
      union all select indexdef from pg_indexes where schemaname = 'public' order by 1`),
  ];
}

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
  await Promise.all([migrate(), migrate()]);
  expect(await journal()).toEqual(OF_OURS);
  expect(await tables()).toEqual(tablesOfOurs);
  await migrate();
  expect(await journal()).toEqual(OF_OURS);
});

test('what servers of before have written otherwise is filled in', async () => {
  await note([EARLIER, LAST]);
  const { sql } = database;
  await sql`insert into admissions select id, '2030-02-03T00:00Z' from users`;
  await sql`insert into ordered_deletions
    select id, 'destroy', '2030-03-01T00:00Z', '2030-03-08T00:00Z' from users`;
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
  const [ada] = await sql`select to_jsonb(u) as row from users u`;
  expect(ada?.row).toMatchObject({
    address_asked_at: '2030-01-01T00:00:00+00:00',
    admitted_at: '2030-02-03T00:00:00+00:00',
    deletion_due_at: '2030-03-08T00:00:00+00:00',
    deletion_capsules: 'destroy',
  });
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
