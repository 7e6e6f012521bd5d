import { isNull, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import { AppError } from '../app-error.ts';
import { systemClock } from '../clock/clock.ts';
import type { Config } from '../config.ts';
import { addressesOf, createClient, type DatabaseAddress, describeAddress } from '../db/client.ts';
import { migrateDatabase } from '../db/migrate.ts';
import type { Database } from '../db/open.ts';
import { copyRows } from '../db/operator/copy-rows.ts';
import * as schema from '../db/schema.ts';
import { findStoreIds } from '../db/server-state.ts';
import { eachStored } from '../db/storage/stored.ts';
import { checkStored, type StoredReport } from '../domain/storage/check-stored.ts';
import { assertNotMoved, assertOwnFiles, markStore } from '../domain/storage/store-identity.ts';
import { openEmbeddedDatabase, startEmbeddedDatabase } from '../embedded-postgres/index.ts';
import { createFileStore, describeStore } from '../files/create-file-store.ts';
import type { FileStore } from '../files/file-store.ts';
import { createLog } from '../log.ts';
import { StartError } from '../start-error.ts';
import { assertHasData } from './operator-database.ts';

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

/** Opens what is copied. @param beside whether a server may run on it, which a database of our own is then shared with */
export async function withSource<Result>(
  place: Place,
  { beside }: { beside: boolean },
  work: (opened: OpenedPlace) => Promise<Result>,
): Promise<Result> {
  if (!place.databaseUrl) assertHasData(place.dataDir);
  if (place.databaseUrl || !beside) return withPlace(place, work);
  const embedded = await openEmbeddedDatabase(place.dataDir);
  try {
    return await withClient(place, embedded.address, work);
  } finally {
    await embedded.leave();
  }
}

/** Opens a place for this command alone where its database is an embedded one, made if need be. */
export async function withPlace<Result>(
  place: Place,
  work: (opened: OpenedPlace) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, databaseDirectUrl, dataDir } = place;
  if (databaseUrl) {
    return withClient(place, addressesOf(databaseUrl, databaseDirectUrl).direct, work);
  }
  let lose: (reason: StartError) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  // It may be lost while this waits for something else.
  lost.catch(() => {});
  const embedded = await startEmbeddedDatabase({ dataDir, log, onLost: (reason) => lose(reason) });
  try {
    return await withClient(place, embedded.address, (opened) =>
      Promise.race([work(opened), lost]),
    );
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
    connection: { application_name: 'time-capsule-copy', statement_timeout: 0 },
  });
  const name = place.databaseUrl ? describeAddress(address) : place.dataDir;
  const files = await createFileStore(place);
  const store = describeStore(place);
  try {
    const db = drizzle(client, { schema });
    return await work({ ...place, client, db, address, files, name, store });
  } finally {
    await client.end({ timeout: 5 });
  }
}

/**
 * Makes the tables of the new database. @returns the ids by which stores of this instance are known
 * @throws StartError when it holds another instance, or they are of different versions
 */
export async function prepareCopy(from: OpenedPlace, to: OpenedPlace): Promise<string[]> {
  await migrateDatabase({ address: to.address, log });
  if ((await versionOf(from.db)) !== (await versionOf(to.db))) {
    throw new StartError(
      `${from.name} was last used by another version of Time Capsule. Start this version on it once, and try again. For a backup from before an update, use that version.`,
    );
  }
  await assertNotMoved(from.db);
  await assertOwnFiles(from, from.store);
  const [before, after] = await Promise.all([findStoreIds(from.db), findStoreIds(to.db)]);
  if (after.length > 0 && !after.some((id) => before.includes(id))) {
    throw new StartError(`${to.name} holds another instance. Choose an empty database.`);
  }
  return [...before, ...after];
}

/**
 * Copies all rows as of one moment, and then every file that they name and the new store has not.
 * Reads all of them there afterwards. @param ids by which stores of this instance are known
 */
export async function copyInstance(
  from: OpenedPlace,
  to: OpenedPlace,
  ids: readonly string[],
): Promise<{ rows: number; report: StoredReport }> {
  const rows = await copyRows(from.client, to.client);
  if (from.store !== to.store) {
    await markStore(to, { ids, where: to.store });
    await copyFiles(from.files, to);
  }
  return { rows, report: await checkStored({ ...to, clock: systemClock }) };
}

async function copyFiles(from: FileStore, { db, files }: OpenedPlace): Promise<void> {
  // What has arrived of an unfinished upload stays behind: its client begins again.
  await db.delete(schema.uploads).where(isNull(schema.uploads.sha256));
  for await (const { storageKey } of eachStored(db, systemClock.now())) {
    try {
      const file = await from.read(storageKey);
      if (!file) continue;
      if ((await files.size(storageKey)) === file.bytes) file.stream.destroy();
      else await files.write(storageKey, file.stream);
    } catch (error) {
      // A full disk, or a store that is away. What concerns one file alone is found by the check.
      if (error instanceof AppError) throw error;
    }
  }
}

/** The newest migration; null for a database that no server has used. */
async function versionOf(db: Database): Promise<string | null> {
  const [table] = await db.execute<{ name: string | null }>(
    sql`select to_regclass('drizzle.__drizzle_migrations')::text as name`,
  );
  if (!table?.name) return null;
  const [row] = await db.execute<{ version: string | null }>(
    sql`select max(created_at)::text as version from drizzle.__drizzle_migrations`,
  );
  return row?.version ?? null;
}
