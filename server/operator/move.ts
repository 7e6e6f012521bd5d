import { resolve } from 'node:path';
import { desc, inArray, isNull, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import { MEGABYTE } from '../../shared/limits.ts';
import { systemClock } from '../clock/clock.ts';
import { type Config, getConfig } from '../config.ts';
import { isWellFormed, MALFORMED } from '../config-address.ts';
import { addressesOf, createClient, type DatabaseAddress, describeAddress } from '../db/client.ts';
import { migrateDatabase } from '../db/migrate.ts';
import type { Database } from '../db/open.ts';
import { copyRows } from '../db/operator/copy-rows.ts';
import * as schema from '../db/schema.ts';
import { findLastSeen, findStoreIds, setMoved } from '../db/server-state.ts';
import { eachStored } from '../db/storage/stored.ts';
import { checkStored } from '../domain/storage/check-stored.ts';
import {
  assertNotMoved,
  assertOwnFiles,
  markStore,
  writeMark,
} from '../domain/storage/store-identity.ts';
import { startEmbeddedDatabase } from '../embedded-postgres/index.ts';
import { createFileStore, describeStore } from '../files/create-file-store.ts';
import type { FileStore } from '../files/file-store.ts';
import { createLog } from '../log.ts';
import { StartError } from '../start-error.ts';
import { describeStartFailure } from '../start-failure.ts';
import { forPeople } from './for-people.ts';
import { assertHasData } from './operator-database.ts';

/** Where a database and its files are. */
type Place = Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir' | 's3'>;

export interface MoveOptions {
  /** The new database: `postgres://…`, or the folder of an embedded one. */
  to?: string | undefined;
  /** The new store of files: `s3` with the S3_… variables, or `disk`. Without it files stay. */
  files?: string | undefined;
  /** Replaces what a server has taken on the new database since an earlier move. */
  replace?: boolean | undefined;
}

const log = createLog('silent');

/**
 * The operator's command `npm run move`: copies an instance that is stopped to another database,
 * and its files to another store. Repeated, it replaces the rows and copies the files that are
 * still missing, unless a server has run on the new database meanwhile. At the end the old database
 * is marked as moved, and no server starts on it any more. @returns the lines to print
 */
async function runMove(
  environment: Record<string, string | undefined>,
  options: MoveOptions,
): Promise<{ ok: boolean; lines: string[] }> {
  try {
    const [source, target] = placesOf(getConfig(environment), options);
    if (!source.databaseUrl) assertHasData(source.dataDir);
    return await withDatabase(source, (from) =>
      withDatabase(target, async (to) => {
        await migrateDatabase({ address: to.address, log });
        const ids = await assertMovable(from, to);
        if (!options.replace) await assertUnused(from, to);
        const stores = await openStores(source, target);
        await assertOwnFiles({ db: from.db, files: stores.from }, describeStore(source));
        const rows = await copyRows(from.client, to.client);
        if (stores.differ) {
          await markStore({ db: to.db, files: stores.to }, { ids, where: describeStore(target) });
          await copyFiles(stores, to.db);
        }
        const { files, bytes, faults } = await checkStored({
          db: to.db,
          files: stores.to,
          clock: systemClock,
        });
        const ok = faults.length === 0;
        if (ok) await finish(from.db, to.name, stores);
        return {
          ok,
          lines: [
            ...faults,
            `${rows} rows are in ${to.name}, and ${files} files (${Math.ceil(bytes / MEGABYTE)} MB, read and hashed) in ${describeStore(target)}: ${faults.length} missing or damaged.`,
            ...(ok
              ? [`Start the server with ${settingsFor(source, target)}.`, MARKED, PASSKEYS]
              : [NOT_MARKED]),
          ],
        };
      }),
    );
  } catch (error) {
    return { ok: false, lines: [describeStartFailure(error, null)] };
  }
}

export const move = forPeople(runMove);

const MARKED =
  'The old database is marked as moved, and the server does not start on it any more. Keep it as a backup until you trust the new one.';
const PASSKEYS =
  'Passkeys work under the host of APP_URL alone. If that changes as well, people sign in with their passwords and add new ones.';
const NOT_MARKED =
  'So the move is not finished, and the old database still counts. Bring these files back from a backup, or accept their loss (npm run fsck -- --accept-loss), and move again.';

/** @throws StartError when the options do not name another place */
function placesOf(config: Config, { to, files }: MoveOptions): [source: Place, target: Place] {
  if (!to) {
    throw new StartError(
      'Please say where: npm run move -- --to postgres://… (or the folder of a new data directory) [--files s3|disk]',
    );
  }
  if (files !== undefined && files !== 's3' && files !== 'disk') {
    throw new StartError('--files is either s3 or disk.');
  }
  if (files !== undefined && !config.s3) {
    throw new StartError(`--files ${files} needs the S3_… variables of the bucket.`);
  }
  const source = { ...config, s3: files === 's3' ? null : config.s3 };
  const isUrl = /^postgres(ql)?:\/\//.test(to);
  if (isUrl && !isWellFormed(to)) throw new StartError(`--to ${MALFORMED}.`);
  const target = {
    databaseUrl: isUrl ? to : null,
    databaseDirectUrl: null,
    dataDir: isUrl ? config.dataDir : resolve(to),
    s3: files === 'disk' ? null : config.s3,
  };
  const isSame = isUrl
    ? to === config.databaseUrl || to === config.databaseDirectUrl
    : config.databaseUrl === null && target.dataDir === config.dataDir;
  if (isSame) throw new StartError('--to names the database that is to be moved.');
  return [source, target];
}

/** The variables that the new instance is started with, for a person to read. */
function settingsFor(source: Place, target: Place): string {
  const settings = [
    target.databaseUrl ? 'DATABASE_URL set to the new database' : `DATA_DIR=${target.dataDir}`,
  ];
  if (!target.databaseUrl && source.databaseUrl) settings.push('without DATABASE_URL');
  if (target.s3) settings.push('with the S3_… variables');
  else if (source.s3) settings.push('without the S3_… variables');
  return settings.join(', ');
}

interface OpenedPlace {
  client: Sql;
  db: Database;
  address: DatabaseAddress;
  /** For a person to read. */
  name: string;
}

/** Opens the database of a place, for this command alone where it is an embedded one. */
async function withDatabase<Result>(
  { databaseUrl, databaseDirectUrl, dataDir }: Place,
  work: (opened: OpenedPlace) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl) {
    const { direct } = addressesOf(databaseUrl, databaseDirectUrl);
    return withClient(direct, describeAddress(direct), work);
  }
  let lose: (reason: StartError) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  // It may be lost while this waits for something else.
  lost.catch(() => {});
  const embedded = await startEmbeddedDatabase({ dataDir, log, onLost: (reason) => lose(reason) });
  try {
    return await withClient(embedded.address, dataDir, (opened) =>
      Promise.race([work(opened), lost]),
    );
  } finally {
    await embedded.stop();
  }
}

async function withClient<Result>(
  address: DatabaseAddress,
  name: string,
  work: (opened: OpenedPlace) => Promise<Result>,
): Promise<Result> {
  // One connection, since a copy belongs to one, and no timeout, since it can take long.
  const client = createClient(address, {
    log,
    max: 1,
    connection: { application_name: 'time-capsule-move', statement_timeout: 0 },
  });
  try {
    return await work({ client, db: drizzle(client, { schema }), address, name });
  } finally {
    await client.end({ timeout: 5 });
  }
}

/**
 * @throws StartError while a server uses one of them, or when the new one holds another instance
 * @returns the ids by which stores of this instance are known
 */
async function assertMovable(from: OpenedPlace, to: OpenedPlace): Promise<string[]> {
  for (const { db, name } of [from, to]) {
    const [row] = await db.execute<{ servers: number }>(sql`
      select count(*)::int as servers from pg_stat_activity
      where datname = current_database() and application_name = 'time-capsule'`);
    if (row && row.servers > 0) {
      throw new StartError(
        `A server still uses ${name}. Stop it first: what it takes meanwhile would be lost.`,
      );
    }
  }
  if ((await versionOf(from.db)) !== (await versionOf(to.db))) {
    throw new StartError(
      `${from.name} was last used by another version of Time Capsule. Start this version on it once, stop it, and move then.`,
    );
  }
  await assertNotMoved(from.db);
  const [before, after] = await Promise.all([findStoreIds(from.db), findStoreIds(to.db)]);
  if (after.length > 0 && !after.some((id) => before.includes(id))) {
    throw new StartError(`${to.name} holds another instance. Choose an empty database.`);
  }
  return [...before, ...after];
}

/** @throws StartError when a server has run on the new database since an earlier move */
async function assertUnused(from: OpenedPlace, to: OpenedPlace): Promise<void> {
  const [seenThere, seenHere] = [await findLastSeen(to.db), await findLastSeen(from.db)];
  const isUsed = seenThere && seenHere && seenThere > seenHere;
  if (!isUsed && !(await hasOwnRows(from.db, to.db))) return;
  throw new StartError(
    `${to.name} holds what ${from.name} does not: a server has run on it since the last move, or something was deleted here since. Start the server there, or add --replace to lose what only that one holds.`,
  );
}

/** Whether one of the newest people or capsules of the new database is not in the old one. */
async function hasOwnRows(from: Database, to: Database): Promise<boolean> {
  for (const table of [schema.users, schema.capsules]) {
    // Ids begin with the time: what came last has the greatest.
    const newest = await to
      .select({ id: table.id })
      .from(table)
      .orderBy(desc(table.id))
      .limit(1_000);
    const ids = newest.map(({ id }) => id);
    const known = await from.select({ id: table.id }).from(table).where(inArray(table.id, ids));
    if (known.length < ids.length) return true;
  }
  return false;
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

interface Stores {
  from: FileStore;
  to: FileStore;
  differ: boolean;
}

async function openStores(source: Place, target: Place): Promise<Stores> {
  const [from, to] = await Promise.all([createFileStore(source), createFileStore(target)]);
  return { from, to, differ: describeStore(source) !== describeStore(target) };
}

/** Copies every file that a row names and the new store has not. */
async function copyFiles({ from, to }: Stores, db: Database): Promise<void> {
  // What has arrived of an unfinished upload stays behind: its client begins again.
  await db.delete(schema.uploads).where(isNull(schema.uploads.sha256));
  for await (const { storageKey } of eachStored(db, systemClock.now())) {
    const file = await from.read(storageKey);
    if (!file) continue;
    if ((await to.size(storageKey)) === file.bytes) file.stream.destroy();
    else await to.write(storageKey, file.stream);
  }
}

/** The new database has everything. The old one gets another id, so that their files know one only. */
async function finish(from: Database, to: string, stores: Stores): Promise<void> {
  const id = await setMoved(from, to);
  if (id && stores.differ) await writeMark(stores.from, id);
}
