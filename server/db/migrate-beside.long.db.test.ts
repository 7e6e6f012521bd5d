import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { createMailWorld } from '../../tests/support/mail-world.ts';
import { until } from '../../tests/support/until.ts';
import { queueEmails } from '../domain/emails/queue.ts';
import { createClient } from './client.ts';
import { readQueues } from './emails/queues.ts';
import { migrateDatabase } from './migrate.ts';
import { type OpenedDatabase, openDatabase } from './open.ts';

/*
 * A server reads and writes a table of 200,000 rows while another one migrates it. PostgreSQL
 * itself says whether a statement of the server waits for a lock: it fails after five seconds.
 */

const ROWS = 200_000;
const log = pino({ level: 'silent' });

let database: TestDatabase;
let server: OpenedDatabase;
let folder: string;
let newest = Date.UTC(2100, 0);

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'time-capsule-migrations-'));
  await mkdir(join(folder, 'meta'));
  const { sql, address } = database;
  await sql`alter database ${sql(address.database)} set lock_timeout = '5s'`;
  server = await openDatabase({ address, log, maxConnections: 2 });
  const patient = connect();
  await patient`insert into emails (id, kind, to_address, is_about_capsules, created_at)
    select gen_random_uuid(), 'password-changed', n || '@example.org', false, now()
    from generate_series(1, ${ROWS}) n`;
  await patient.end();
}, 120_000);
afterAll(async () => {
  await server.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** What a server does with the table all day: a call fails when it waits for a lock. */
async function call(): Promise<void> {
  const { deps, addPerson, claimOne } = createMailWorld(server.db);
  await queueEmails(server.db, deps, 'password-changed', [await addPerson('Ada')]);
  await claimOne();
  await readQueues(server.db, deps.clock.now());
}

async function callUntil(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  while (!isDone) await call();
  await work;
}

function connect() {
  return createClient(database.address, { log, max: 1, connection: { statement_timeout: 0 } });
}

/** A transaction that has run this statement and stays open until it is told to end. */
async function holdOpen(statement: string): Promise<() => Promise<void>> {
  const sql = connect();
  await sql.unsafe(`begin; ${statement}`);
  let isOpen = true;
  const end = async () => {
    if (isOpen) await sql.end({ timeout: 0 });
    isOpen = false;
  };
  onTestFinished(end);
  return end;
}

const WRITE = `update emails set kind = kind where to_address = '1@example.org'`;

/** A start of a version whose newest migration is this one. */
async function migrate(migration: string, warnings: string[] = []): Promise<void> {
  const tag = 'newest';
  const entries = [{ idx: 0, version: '7', when: newest, tag, breakpoints: true }];
  await writeFile(join(folder, `${tag}.sql`), migration);
  await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify({ entries }));
  const hearing = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) });
  await migrateDatabase({ address: database.address, log: hearing, folder });
}

/** The process that builds an index, once it waits for a transaction to end. */
function waitingBuilder(): Promise<number> {
  return until(async () => {
    const [row] = await database.sql<{ pid: number }[]>`
      select pid from pg_stat_progress_create_index where phase like 'waiting for%'`;
    return row?.pid ?? null;
  });
}

async function validity(index: string): Promise<boolean | undefined> {
  const [row] = await database.sql<{ valid: boolean }[]>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${index})`;
  return row?.valid;
}

async function timesNoted(): Promise<number> {
  const rows = await database.sql`
    select from drizzle.__drizzle_migrations where created_at = ${newest}`;
  return rows.length;
}

test('an index is built beside a server that reads and writes, by one of two starts', async () => {
  newest += 1;
  const migration =
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS "emails_new" ON "emails" ("requested_by")';
  const end = await holdOpen(WRITE);
  const starts = Promise.all([migrate(migration), migrate(migration)]);
  await waitingBuilder();
  for (let calls = 0; calls < 20; calls += 1) await call();
  await end();
  await callUntil(starts);
  expect(await validity('emails_new')).toBe(true);
  expect(await timesNoted()).toBe(1);
}, 60_000);

test('what an interrupted start has left of an index is built anew by the next one', async () => {
  newest += 1;
  const migration = `-- For a list.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "emails_first" ON "emails" ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "emails_second" ON "emails" ("id","kind");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "emails_user";`;
  const end = await holdOpen(WRITE);
  const start = migrate(migration);
  const interrupted = expect(start).rejects.toThrow();
  await database.sql`select pg_terminate_backend(${await waitingBuilder()})`;
  await interrupted;
  expect([await validity('emails_first'), await timesNoted()]).toEqual([false, 0]);
  await end();
  await callUntil(migrate(migration));
  expect(await validity('emails_first')).toBe(true);
  expect(await validity('emails_second')).toBe(true);
  expect(await validity('emails_user')).toBeUndefined();
  expect(await timesNoted()).toBe(1);
}, 60_000);

test('a migration whose table is in use lets the calls behind it pass, and comes back', async () => {
  newest += 1;
  const warnings: string[] = [];
  const end = await holdOpen('lock table emails in access share mode');
  const start = migrate('ALTER TABLE "emails" ADD COLUMN "mood" text', warnings);
  await callUntil(until(() => (warnings.length > 0 ? true : null)));
  await end();
  await callUntil(start);
  expect(await database.sql`select mood from emails where to_address = '1@example.org'`).toEqual([
    { mood: null },
  ]);
  expect(await timesNoted()).toBe(1);
}, 60_000);

test('a migration that fails half-way changes nothing', async () => {
  newest += 1;
  const migration = `ALTER TABLE "emails" ADD COLUMN "half" text;--> statement-breakpoint
SELECT 1 / 0;`;
  await expect(migrate(migration)).rejects.toThrow('division by zero');
  await expect(database.sql`select half from emails limit 1`).rejects.toThrow('does not exist');
  expect(await timesNoted()).toBe(0);
});
