import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { pino } from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { sharedDatabase } from '../../tests/support/database.ts';
import { projectRoot } from '../project-root.ts';
import { migrateDatabase } from './migrate.ts';
import { openDatabase } from './open.ts';
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
    capsules text not null, ordered_at timestamptz not null, due_at timestamptz not null,
    constraint ordered_deletions_capsules check (capsules in ('deliver', 'destroy')));
  create index ordered_deletions_due on ordered_deletions (due_at);
  create table identity_confirmations (session_id text primary key references sessions on delete cascade,
    expires_at timestamptz not null)`;

let tablesOfOurs: unknown[];

beforeEach(async () => {
  // Nothing of the test may look like a server.
  await database.sql`set application_name = 'a test'`;
  await database.sql.unsafe('drop schema public cascade; create schema public');
  for (const statement of ours[0]?.sql ?? []) await database.sql.unsafe(statement);
  tablesOfOurs = await tables();
  await database.sql.unsafe(BACK);
  await database.sql`insert into users
    (id, email, name, password_hash, created_at, address_check_due_at)
    values (gen_random_uuid(), 'ada@example.org', 'Ada', 'none', '2029-03-01T00:00Z', '2031-01-01T00:00Z')`;
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

const log = pino({ level: 'silent' });

/** As a start of a server does. */
function migrate(): Promise<void> {
  return migrateDatabase({ address: database.address, log, takesOver: true });
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

test('only who has come is asked whether the address is still theirs, after a year', async () => {
  await note([EARLIER, LAST]);
  const { sql } = database;
  await sql`insert into users (id, email, name, password_hash, created_at, address_check_due_at) values
    (gen_random_uuid(), 'invited', 'x', null, now(), now() + interval '1 month'),
    (gen_random_uuid(), 'came today', 'x', 'none', now(), null),
    (gen_random_uuid(), 'due early', 'x', 'none', now(), now() + interval '1 month'),
    (gen_random_uuid(), 'long ago', 'x', 'none', now() - interval '5 years', null)`;
  await migrate();
  const rows = await sql`select email, address_asked_at is not null as "isAsked",
      coalesce(address_asked_at, created_at) >= created_at as "hasYear",
      coalesce(address_asked_at, created_at) between now() - interval '1 year' and now() as "isSpread"
    from users where email not like 'ada%' order by email`;
  const due = { isAsked: true, hasYear: true, isSpread: true };
  expect([...rows]).toEqual([
    { email: 'came today', ...due },
    { email: 'due early', ...due },
    { email: 'invited', ...due, isAsked: false },
    { email: 'long ago', ...due },
  ]);
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
  const line = new RegExp(`^This database is from before .* ${COMMIT_BEFORE} once .*upgrading.md`);
  await refused(migrate, line);
});

test('one that an unreleased version has made is told apart', async () => {
  await note([{ hash: 'made up', created_at: LAST_BEFORE.createdAt + 1 }]);
  await refused(migrate, /^This database is of a version that was never released\. /);
});

test('nothing is taken over while a server still runs on it', async () => {
  await note([EARLIER, LAST]);
  const server = await openDatabase({ address: database.address, log });
  onTestFinished(server.close);
  await refused(migrate, /^A server still uses this database\. Stop all of them .*upgrading\.md/);
});

test("an operator's command takes nothing over", async () => {
  await note([EARLIER, LAST]);
  const command = () => migrateDatabase({ address: database.address, log });
  await refused(command, /^This database is from before .* Start this version .*upgrading\.md/);
});

async function refused(work: () => Promise<void>, line: RegExp): Promise<void> {
  const before = [await journal(), await tables()];
  await expect(work()).rejects.toThrow(line);
  expect([await journal(), await tables()]).toEqual(before);
}
