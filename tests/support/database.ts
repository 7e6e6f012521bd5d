import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
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
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const log = pino({ level: 'silent' });
  const socketPath = inject('postgresSocket');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const address = { socketPath, database: name };

  await administer(
    socketPath,
    (sql) => sql`create database ${sql(name)} template ${sql(TEMPLATE)} strategy file_copy`,
  );
  const { db, sql, close } = await openDatabase({ address, log, maxConnections: 8 });
  return {
    db,
    sql,
    address,
    async close() {
      await close();
      await administer(socketPath, (admin) => admin`drop database ${admin(name)} with (force)`);
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

async function administer(
  socketPath: string,
  work: (sql: ReturnType<typeof createClient>) => Promise<unknown>,
): Promise<void> {
  const sql = createClient({ socketPath }, { log: pino({ level: 'silent' }), max: 1 });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
