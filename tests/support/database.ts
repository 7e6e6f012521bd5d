import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, inject } from 'vitest';
import { createClient } from '../../server/db/client.ts';
import { type OpenedDatabase, openDatabase } from '../../server/db/open.ts';
import { TEMPLATE } from './postgres-global-setup.ts';

export interface TestDatabase extends Omit<OpenedDatabase, 'watch'> {
  /** For what opens the database itself, such as a second server on the same one. */
  address: { socketPath: string; database: string };
  /** Closes the connections and drops the database. */
  close(): Promise<void>;
}

/**
 * A fresh database with the newest schema and nothing in it, for one test file alone.
 * Needs the project's global setup (`api`, `browser`).
 * @param maxConnections few, since each reads the catalogue and plans the statements anew: eight were a fifth more work
 */
export async function createTestDatabase(maxConnections = 4): Promise<TestDatabase> {
  const log = pino({ level: 'silent' });
  const socketPath = inject('postgresSocket');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const address = { socketPath, database: name };

  const admin = administer();
  await admin`create database ${admin(name)} template ${admin(TEMPLATE)} strategy file_copy`;
  const { db, sql, close } = await openDatabase({ address, log, maxConnections });
  return {
    db,
    sql,
    address,
    async close() {
      await close();
      await admin`drop database ${admin(name)} with (force)`;
    },
  };
}

/** One for the tests of a file; its properties are there from `beforeAll` on. */
export function sharedDatabase(): TestDatabase {
  const database = {} as TestDatabase;
  beforeAll(async () => {
    Object.assign(database, await createTestDatabase());
  });
  afterAll(() => database.close());
  return database;
}

/** One for all files of a worker: a connection is forty milliseconds of work. It ends with the worker. */
let administration: Sql | null = null;
function administer(): Sql {
  const log = pino({ level: 'silent' });
  administration ??= createClient({ socketPath: inject('postgresSocket') }, { log, max: 1 });
  return administration;
}
