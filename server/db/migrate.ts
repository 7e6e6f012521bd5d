import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type { Sql } from 'postgres';
import { projectRoot } from '../project-root.ts';
import { StartError } from '../start-error.ts';
import { tryLock } from './advisory-locks.ts';
import { createClient, NOT_A_SERVER } from './client.ts';
import { isDatabaseBusy } from './errors.ts';
import { type OpenDatabaseOptions, waitUntilReachable } from './open.ts';
import { refuseUnsuitable } from './refuse-unsuitable.ts';
import { takeOver } from './take-over.ts';

type MigrateOptions = Pick<OpenDatabaseOptions, 'address' | 'log' | 'waitMs' | 'signal'> & {
  /** The folder of the migrations; ours without it. */
  folder?: string;
  /** The operator goes back by one version, whose tables a newer one has only added to. */
  allowNewer?: boolean;
  /** A database of before 1.0.0 too, which only the start of a server may. */
  takesOver?: boolean;
};

const OURS = join(projectRoot, 'migrations');

/** Of this server, as in its package. */
const VERSION: string = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).version;

const ASK_AGAIN_MS = 250;
/** Calls of running servers queue behind a statement that waits for its lock, but no longer than this. */
const LOCK_TIMEOUT_MS = 1_000;
/** For the calls that queued. */
const PAUSE_MS = 2_000;
const ATTEMPTS = 40;

/**
 * Runs missing migrations, while servers of the version before go on working. Each is done wholly
 * or, when the start is killed, done again by the next one. Two processes take turns.
 * @throws StartError when others hold a table for two minutes, a newer version has migrated, or a
 * database from before 1.0.0 can't be taken over
 */
export async function migrateDatabase(options: MigrateOptions): Promise<void> {
  const { address, log, folder = OURS, allowNewer = false, takesOver = false } = options;
  const sql = createClient(address, {
    log,
    // One connection for the whole of it, because the lock belongs to it.
    max: 1,
    max_lifetime: null,
    connection: NOT_A_SERVER,
  });
  try {
    await waitUntilReachable(sql, options);
    await refuseUnsuitable(sql, address);
    await waitForTurn(sql, options);
    await takeOver(sql, { migrationsFolder: OURS, version: VERSION, isMeant: takesOver });
    await prepareTable(sql);
    if (!allowNewer) await refuseNewer(sql, folder);
    const { missing, isNew } = await findMissing(sql, folder);
    for (const [index, migration] of missing.entries()) {
      const startedAt = performance.now();
      if (migration.sql.some(isConcurrent)) await runConcurrently(sql, migration);
      else await runInTransaction(sql, migration, options);
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      // A new database takes all of them in a second, which is no news.
      log[isNew ? 'debug' : 'info'](
        `Updated the database: step ${index + 1} of ${missing.length}, ${seconds} s`,
      );
    }
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/**
 * Asks for the lock again and again. A statement that waited for it would be an open transaction,
 * and PostgreSQL finishes an index that is built concurrently only after those.
 */
async function waitForTurn(sql: Sql, { log, signal }: MigrateOptions): Promise<void> {
  for (let isFirst = true; !(await tryLock(sql, 'migration')); isFirst = false) {
    if (isFirst) log.info('Another process is updating the database. Waiting for it …');
    await delay(ASK_AGAIN_MS, undefined, { signal });
  }
}

/** The table in which drizzle's own migrator notes what it has run, and here by which version. */
async function prepareTable(sql: Sql): Promise<void> {
  await sql`create schema if not exists drizzle`;
  await sql`create table if not exists drizzle.__drizzle_migrations
    (id serial primary key, hash text not null, created_at bigint)`;
  const [version] = await sql`
    select from pg_attribute where attrelid = 'drizzle.__drizzle_migrations'::regclass and attname = 'version'`;
  if (!version) await sql`alter table drizzle.__drizzle_migrations add column version text`;
}

/**
 * An older version would misread, or delete, what a newer one has written. @throws StartError when
 * the database has a migration that is not in the folder
 */
export async function refuseNewer(sql: Sql, migrationsFolder = OURS): Promise<void> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') as name`;
  if (!table?.name) return;
  const known = readMigrationFiles({ migrationsFolder });
  const newest = known.at(-1)?.folderMillis ?? 0;
  const [found] = await sql<{ newer: string; version: string | null }[]>`
    select count(*) filter (where created_at > ${newest}) as newer,
      (array_agg(to_jsonb(m) ->> 'version' order by created_at desc))[1] as version
    from drizzle.__drizzle_migrations m`;
  if (!found || Number(found.newer) === 0) return;
  throw new StartError(
    `This is Time Capsule ${VERSION}, which knows ${known.length} steps of the database, but a newer version${found.version ? `, ${found.version},` : ''} has taken it ${found.newer} further. Start that one, or bring back the backup of before the update. If you go back by one version only, set ALLOW_NEWER_DATABASE=on.`,
  );
}

async function findMissing(
  sql: Sql,
  migrationsFolder: string,
): Promise<{ missing: MigrationMeta[]; isNew: boolean }> {
  const [row] = await sql<{ newest: string | null }[]>`
    select max(created_at) as newest from drizzle.__drizzle_migrations`;
  const newest = Number(row?.newest ?? 0);
  const missing = readMigrationFiles({ migrationsFolder }).filter(
    ({ folderMillis }) => folderMillis > newest,
  );
  return { missing, isNew: newest === 0 };
}

function isConcurrent(statement: string): boolean {
  return /^\s*(create|create unique|drop) index concurrently\b/im.test(statement);
}

/** Statement by statement. Each of them may be repeated after an interruption. */
async function runConcurrently(sql: Sql, migration: MigrationMeta): Promise<void> {
  for (const statement of migration.sql) {
    const index = /concurrently if not exists "([^"]+)"/i.exec(statement)?.[1];
    if (index) await dropUnfinished(sql, index);
    await sql.unsafe(statement);
  }
  await note(sql, migration);
}

/** An interrupted build leaves an index that is written to and never read. */
async function dropUnfinished(sql: Sql, index: string): Promise<void> {
  const unfinished = await sql`
    select from pg_index where indexrelid = to_regclass(${`"${index}"`}) and not indisvalid`;
  if (unfinished.length > 0) await sql.unsafe(`drop index concurrently "${index}"`);
}

async function runInTransaction(
  sql: Sql,
  migration: MigrationMeta,
  { log, signal }: MigrateOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql.begin(async (tx) => {
        await tx.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
        for (const statement of migration.sql) await tx.unsafe(statement);
        await note(tx, migration);
      });
      return;
    } catch (error) {
      if (!isDatabaseBusy(error)) throw error;
      if (attempt === ATTEMPTS) {
        throw new StartError(
          'The database cannot be updated while a table is in use without a pause, perhaps by a dump or a long report. Start again when that has ended.',
        );
      }
      log.warn(
        { nextTryMs: PAUSE_MS },
        'An update of the database would make calls wait. Trying again …',
      );
      await delay(PAUSE_MS, undefined, { signal });
    }
  }
}

async function note(sql: Pick<Sql, 'unsafe'>, migration: MigrationMeta): Promise<void> {
  await sql.unsafe(
    'insert into drizzle.__drizzle_migrations (hash, created_at, version) values ($1, $2, $3)',
    [migration.hash, migration.folderMillis, VERSION],
  );
}
