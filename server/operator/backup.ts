import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { MEGABYTE } from '../../shared/limits.ts';
import { getConfig } from '../config.ts';
import { type Copied, copyFolder } from '../copy-folder.ts';
import { tryLock } from '../db/advisory-locks.ts';
import { createClient } from '../db/client.ts';
import { copyCluster, openEmbeddedDatabase } from '../embedded-postgres/index.ts';
import { describeStore } from '../files/create-file-store.ts';
import { isStoreFolder } from '../files/disk.ts';
import { keepOwner } from '../keep-owner.ts';
import { createLog } from '../log.ts';
import { StartError } from '../start-error.ts';
import { describeStartFailure } from '../start-failure.ts';
import { forPeople } from './for-people.ts';
import { assertHasData } from './operator-database.ts';

/**
 * The operator's command `npm run backup -- <folder>`: copies the data directory so that a server
 * can start on the copy, with or without a server running. Rows are copied before files, and no
 * file is deleted in between, so every row has its file. @returns the line to print
 */
async function runBackup(
  environment: Record<string, string | undefined>,
  folder: string | undefined,
): Promise<{ ok: boolean; line: string }> {
  try {
    const config = getConfig(environment);
    const { databaseUrl, dataDir, s3 } = config;
    if (databaseUrl) throw new StartError(ownDatabase(describeStore(config)));
    if (!folder)
      throw new StartError('Please name a folder: npm run backup -- /path/of/a/new/folder');
    assertHasData(dataDir);
    const target = resolve(folder);
    await prepare(target, resolve(dataDir));
    const { files, bytes, unreadable } = await copyData(dataDir, target);
    if (s3) {
      const line = `The database is now in ${target}. Its files are in ${describeStore(config)} and were not copied. Copy them now.`;
      return { ok: true, line };
    }
    const line = `The database and ${files} files (${Math.ceil(bytes / MEGABYTE)} MB, with the marks of the store) are now in ${target}. Check them with: DATA_DIR=${target} npm run fsck`;
    if (unreadable.length === 0) return { ok: true, line };
    const names = unreadable.join(', ');
    return {
      ok: false,
      line: `These files could not be read, so they are not copied: ${names}. ${line}`,
    };
  } catch (error) {
    return { ok: false, line: describeStartFailure(error, null) };
  }
}

export const backup = forPeople(runBackup);

const ownDatabase = (files: string) =>
  `DATABASE_URL is set: back its database up with pg_dump, and then ${files}. This command is for the embedded database.`;

/** @throws StartError if the folder is not empty, or inside the data directory */
async function prepare(target: string, dataDir: string): Promise<void> {
  if (`${target}${sep}`.startsWith(`${dataDir}${sep}`)) {
    throw new StartError(`${target} is inside the data directory. Choose another folder.`);
  }
  await mkdir(target, { recursive: true, mode: 0o700 });
  if ((await readdir(target)).length > 0) {
    throw new StartError(`${target} is not empty. Choose a new folder.`);
  }
  await keepOwner(dataDir, target);
}

/** @returns also the stored files that could not be read */
async function copyData(
  dataDir: string,
  target: string,
): Promise<Copied & { unreadable: string[] }> {
  const embedded = await openEmbeddedDatabase(dataDir);
  try {
    // A single connection without reconnects: the lock and the backup end with it.
    const sql = createClient(embedded.address, {
      log: createLog('silent'),
      max: 1,
      max_lifetime: null,
    });
    try {
      if (!(await tryLock(sql, 'backup'))) throw new StartError('Another backup is being made.');
      const database = join(target, 'database');
      await mkdir(database, { mode: 0o700 });
      await keepOwner(join(dataDir, 'database'), database);
      await copyCluster(sql, join(dataDir, 'database', 'cluster'), join(database, 'cluster'));
      const files = join(dataDir, 'files');
      if (await mkdir(files, { recursive: true })) await keepOwner(dataDir, files);
      const unreadable: string[] = [];
      const copied = await copyFolder(files, join(target, 'files'), {
        skip: (name, path) => name === path && !isStoreFolder(name),
        onUnreadable: (path, code) => unreadable.push(`${path} (${code})`),
      });
      return { ...copied, unreadable };
    } finally {
      await sql.end({ timeout: 5 });
    }
  } finally {
    await embedded.leave();
  }
}
