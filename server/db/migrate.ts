import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import { projectRoot } from '../project-root.ts';
import { waitForLock } from './advisory-locks.ts';
import { createClient } from './client.ts';
import { type OpenDatabaseOptions, waitUntilReachable } from './open.ts';

/**
 * Runs missing migrations, in one transaction, so that a killed start has changed nothing. Two
 * processes take turns.
 */
export async function migrateDatabase(
  options: Pick<OpenDatabaseOptions, 'address' | 'log' | 'waitMs' | 'signal'>,
): Promise<void> {
  const { address, log } = options;
  // One connection, because the lock belongs to it, and no timeout, because building an index can
  // take long.
  const sql = createClient(address, { log, max: 1, connection: { statement_timeout: 0 } });
  try {
    await waitUntilReachable(sql, options);
    await waitForLock(sql, 'migration');
    await migrate(drizzle(sql), { migrationsFolder: join(projectRoot, 'migrations') });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
