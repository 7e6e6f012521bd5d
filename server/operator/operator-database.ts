import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import type { Config } from '../config.ts';
import { addressesOf, type DatabaseAddress } from '../db/client.ts';
import { refuseNewer } from '../db/migrate.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { assertNotMoved } from '../domain/storage/store-identity.ts';
import { openEmbeddedDatabase } from '../embedded-postgres/index.ts';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';

type OperatorConfig = Pick<
  Config,
  'databaseUrl' | 'databaseDirectUrl' | 'dataDir' | 'allowNewerDatabase'
>;

type Work<Result> = (db: Database, address: DatabaseAddress, sql: Sql) => Promise<Result>;

/**
 * Runs an operator's command on the server's database, with or without a server running. An
 * embedded database that was not running is stopped again. @throws StartError if there is no
 * database, if it is of a newer version, or was moved elsewhere and the command is not the way back
 */
export async function withOperatorDatabase<Result>(
  { databaseUrl, databaseDirectUrl, dataDir, allowNewerDatabase }: OperatorConfig,
  log: Log,
  work: (db: Database, address: DatabaseAddress) => Promise<Result>,
  { mayBeMoved = false }: { mayBeMoved?: boolean } = {},
): Promise<Result> {
  const checked: Work<Result> = async (db, address, sql) => {
    if (!allowNewerDatabase) await refuseNewer(sql);
    if (!mayBeMoved) await assertNotMoved(db);
    return work(db, address);
  };
  if (databaseUrl) {
    return withConnection(addressesOf(databaseUrl, databaseDirectUrl).direct, log, checked);
  }
  assertHasData(dataDir);
  const embedded = await openEmbeddedDatabase(dataDir);
  try {
    return await withConnection(embedded.address, log, checked);
  } finally {
    await embedded.leave();
  }
}

/** @throws StartError: a mistyped DATA_DIR must not become a new, empty database. */
export function assertHasData(dataDir: string): void {
  if (existsSync(join(dataDir, 'database', 'cluster', 'PG_VERSION'))) return;
  throw new StartError(`There is no database in ${dataDir}. Is DATA_DIR right?`);
}

async function withConnection<Result>(
  address: DatabaseAddress,
  log: Log,
  work: Work<Result>,
): Promise<Result> {
  // An operator waits as long as it takes to look at every row.
  const statementTimeoutMs = 0;
  const { db, sql, close } = await openDatabase({
    address,
    log,
    maxConnections: 1,
    statementTimeoutMs,
  });
  try {
    return await work(db, address, sql);
  } finally {
    await close();
  }
}
