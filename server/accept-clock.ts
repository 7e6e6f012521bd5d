import { systemClock } from './clock.ts';
import { getConfig } from './config.ts';
import type { DatabaseAddress } from './db/client.ts';
import { openEmbeddedDatabase } from './db/embedded.ts';
import { migrateDatabase } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';
import { findLastSeen, resetLastSeen } from './db/server-state.ts';
import { createLog, type Log } from './log.ts';
import { describeStartFailure } from './start-failure.ts';

/**
 * The operator's command `npm run clock:accept`: makes the system clock's time the last seen
 * one, earlier or later. A server that runs on the same database follows within a minute; a
 * stopped one finds it at its next start.
 * @returns the line to print.
 */
export async function acceptClock(
  environment: Record<string, string | undefined>,
): Promise<{ ok: boolean; line: string }> {
  const log = createLog('silent');
  try {
    const { databaseUrl, dataDir } = getConfig(environment);
    return { ok: true, line: await acceptIn(databaseUrl, dataDir, log) };
  } catch (error) {
    return { ok: false, line: describeStartFailure(error, null) };
  }
}

async function acceptIn(databaseUrl: string | null, dataDir: string, log: Log): Promise<string> {
  if (databaseUrl) return accept({ url: databaseUrl }, log);
  const embedded = await openEmbeddedDatabase(dataDir);
  try {
    return await accept(embedded.address, log);
  } finally {
    await embedded.leave();
  }
}

async function accept(address: DatabaseAddress, log: Log): Promise<string> {
  const { db, close } = await openDatabase({ address, log, maxConnections: 1 });
  try {
    await migrateDatabase({ address, log });
    const before = await findLastSeen(db);
    const accepted = systemClock.now();
    await resetLastSeen(db, accepted);
    const instead = before ? ` instead of ${before.toISOString()}` : '';
    return `The time is now taken to be ${accepted.toISOString()}${instead}. A running server follows within a minute.`;
  } finally {
    await close();
  }
}
