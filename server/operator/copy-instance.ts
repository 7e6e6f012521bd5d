import { isNull, sql } from 'drizzle-orm';
import { AppError } from '../app-error.ts';
import { systemClock } from '../clock/clock.ts';
import { migrateDatabase } from '../db/migrate.ts';
import type { Database } from '../db/open.ts';
import { copyRows } from '../db/operator/copy-rows.ts';
import * as schema from '../db/schema.ts';
import { findStoreIdentity } from '../db/server-state.ts';
import { eachStored } from '../db/storage/stored.ts';
import { checkStored, type StoredReport } from '../domain/storage/check-stored.ts';
import { assertNotMoved, assertOwnFiles, markStore } from '../domain/storage/store-identity.ts';
import type { FileStore } from '../files/file-store.ts';
import { createLog } from '../log.ts';
import { StartError } from '../start-error.ts';
import type { OpenedPlace } from './operator-database.ts';

const log = createLog('silent');

/**
 * Makes the tables of the new database.
 * @throws StartError when it holds another instance, or they are of different versions
 */
export async function prepareCopy(from: OpenedPlace, to: OpenedPlace): Promise<void> {
  await migrateDatabase({ address: to.address, log });
  if ((await versionOf(from.db)) !== (await versionOf(to.db))) {
    throw new StartError(
      `${from.name} was last used by another version of Time Capsule. Start this version on it once, and try again. For a backup from before an update, use that version.`,
    );
  }
  await assertNotMoved(from.db);
  await assertOwnFiles(from, from.store);
  const [before, after] = await Promise.all([from, to].map(({ db }) => findStoreIdentity(db)));
  // A copy that is not finished still has the old one's id.
  if (after && after.storeId !== before?.storeId) {
    throw new StartError(`${to.name} holds another instance. Choose an empty database.`);
  }
}

/**
 * Copies all rows as of one moment, and then every file that they name and the new store has not.
 * Reads all of them there afterwards.
 */
export async function copyInstance(
  from: OpenedPlace,
  to: OpenedPlace,
): Promise<{ rows: number; report: StoredReport }> {
  const rows = await copyRows(from.client, to.client);
  if (from.store !== to.store) {
    await markStore(to, to.store);
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
