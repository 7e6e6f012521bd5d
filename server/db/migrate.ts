import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import type { Log } from '../log.ts';
import { projectRoot } from '../project-root.ts';
import { waitForLock } from './advisory-locks.ts';
import { createClient, type DatabaseAddress } from './client.ts';

/**
 * Brings the database to the newest schema. All that is missing runs in one transaction, so
 * a start that is killed half-way has changed nothing; two processes take turns.
 */
export async function migrateDatabase({
  address,
  log,
}: {
  address: DatabaseAddress;
  log: Log;
}): Promise<void> {
  // One connection, for the lock is its; no statement timeout, for an index may take its time.
  const sql = createClient(address, { log, max: 1, connection: { statement_timeout: 0 } });
  try {
    await waitForLock(sql, 'migration');
    await migrate(drizzle(sql), { migrationsFolder: join(projectRoot, 'migrations') });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
