import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import type { Config } from '../config.ts';
import {
  addressesOf,
  COMMAND,
  createClient,
  type DatabaseAddress,
  describeAddress,
} from '../db/client.ts';
import { refuseNewer } from '../db/migrate.ts';
import { type Database, waitUntilReachable } from '../db/open.ts';
import { refuseUnsuitable } from '../db/refuse-unsuitable.ts';
import * as schema from '../db/schema.ts';
import { assertNotMoved } from '../domain/storage/store-identity.ts';
import { openEmbeddedDatabase, startEmbeddedDatabase } from '../embedded-postgres/index.ts';
import { createFileStore, describeStore } from '../files/create-file-store.ts';
import type { FileStore } from '../files/file-store.ts';
import { createLog } from '../log.ts';
import { StartError } from '../start-error.ts';

/** Where a database and its files are. */
export type Place = Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir' | 's3'>;

export interface OpenedPlace extends Place {
  client: Sql;
  db: Database;
  address: DatabaseAddress;
  files: FileStore;
  /** For a person to read. */
  name: string;
  store: string;
}

const log = createLog('silent');

/** For a database that starts. An operator waits, and the address may be mistyped. */
const WAIT_MS = 3_000;

/**
 * Runs an operator's command on the server's database, with or without a server running. An
 * embedded database that was not running is stopped again. @throws StartError if there is no
 * database, if it is of a newer version, or was moved elsewhere and the command is not the way back
 */
export function withOperatorDatabase<Result>(
  config: Place & Pick<Config, 'allowNewerDatabase'>,
  work: (opened: OpenedPlace) => Promise<Result>,
  { mayBeMoved = false }: { mayBeMoved?: boolean } = {},
): Promise<Result> {
  return withSource(config, { beside: true }, async (opened) => {
    await refuseUnsuitable(opened.client, opened.address);
    // A command that hangs must not keep what it has locked. A copy may wait for its other end.
    await opened.client`set idle_in_transaction_session_timeout = '60s'`;
    if (!config.allowNewerDatabase) await refuseNewer(opened.client);
    if (!mayBeMoved) await assertNotMoved(opened.db);
    return work(opened);
  });
}

/** Opens what is there. @param beside whether a server may run on it, which a database of our own is then shared with */
export async function withSource<Result>(
  place: Place,
  { beside }: { beside: boolean },
  work: (opened: OpenedPlace) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, databaseDirectUrl, dataDir } = place;
  if (databaseUrl) {
    return withClient(place, addressesOf(databaseUrl, databaseDirectUrl).direct, work);
  }
  // A mistyped DATA_DIR must not become a new, empty database.
  if (!existsSync(join(dataDir, 'database', 'cluster', 'PG_VERSION'))) {
    throw new StartError(`There is no database in ${dataDir}. Is DATA_DIR right?`);
  }
  if (!beside) return withPlace(place, work);
  const embedded = await openEmbeddedDatabase(dataDir);
  try {
    return await withClient(place, embedded.address, work);
  } finally {
    await embedded.leave();
  }
}

/** Opens where a copy goes, or an embedded database for this command alone, made if need be. */
export async function withPlace<Result>(
  place: Place,
  work: (opened: OpenedPlace) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, dataDir } = place;
  if (databaseUrl) return withClient(place, { url: databaseUrl, way: 'target' }, work);
  // Where another server takes it meanwhile, the work fails with its connection.
  const embedded = await startEmbeddedDatabase({ dataDir, log, onLost() {} });
  try {
    return await withClient(place, embedded.address, work);
  } finally {
    await embedded.stop();
  }
}

async function withClient<Result>(
  place: Place,
  address: DatabaseAddress,
  work: (opened: OpenedPlace) => Promise<Result>,
): Promise<Result> {
  // One connection for as long as it takes: a copy and a lock belong to one.
  const client = createClient(address, {
    log,
    max: 1,
    max_lifetime: null,
    connection: { ...COMMAND, statement_timeout: 0 },
  });
  try {
    await waitUntilReachable(client, { address, log, waitMs: WAIT_MS });
    const name = place.databaseUrl ? describeAddress(address) : place.dataDir;
    const files = await createFileStore(place);
    const db = drizzle(client, { schema });
    return await work({ ...place, client, db, address, files, name, store: describeStore(place) });
  } finally {
    await client.end({ timeout: 5 });
  }
}
