import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, statfs } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { MEGABYTE } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import { tryLock } from '../db/advisory-locks.ts';
import { isDatabaseFull } from '../db/errors.ts';
import { setFinished } from '../db/server-state.ts';
import { stopPostmaster } from '../embedded-postgres/index.ts';
import { keepOwner } from '../keep-owner.ts';
import { StartError } from '../start-error.ts';
import { syncFile } from '../sync-file.ts';
import { copyInstance, prepareCopy } from './copy-instance.ts';
import { forPeople } from './for-people.ts';
import { type OpenedPlace, withPlace, withSource } from './operator-database.ts';

/**
 * The operator's command `npm run backup -- <folder>`: copies the instance into a data directory that
 * a server can start on, with or without a server running. Rows are copied before files, and no file
 * is deleted in between, so every row has its file.
 */
export const backup = forPeople(async (config, folder: string | undefined) => {
  if (!folder)
    throw new StartError('Please name a folder: npm run backup -- /path/of/a/new/folder');
  const target = resolve(folder);
  await assertNew(target, resolve(config.dataDir));
  return await withSource(config, { beside: true }, async (from) => {
    // Held by the one connection, until that ends.
    if (!(await tryLock(from.client, 'backup')))
      throw new StartError('Another backup is being made.');
    const { rows, report } = await copyInto(target, from);
    const { files, bytes, faults } = report;
    const summary = `${rows} rows and ${files} files (${Math.ceil(bytes / MEGABYTE)} MB, read and hashed) are now in ${target}: ${faults.length} missing or damaged. Start a server on them with DATA_DIR=${target}.`;
    return { ok: faults.length === 0, lines: [...faults, summary] };
  });
});

const UNFINISHED = 'unfinished';
/** What PostgreSQL takes for its log at once. */
const LOG_BYTES = 16 * MEGABYTE;

/** @throws StartError if the folder is not empty, or inside the data directory */
async function assertNew(target: string, dataDir: string): Promise<void> {
  if (`${target}${sep}`.startsWith(`${dataDir}${sep}`)) {
    throw new StartError(`${target} is inside the data directory. Choose another folder.`);
  }
  const names = await readdir(target).catch(() => []);
  if (names.some((name) => name !== UNFINISHED)) {
    throw new StartError(`${target} is not empty. Choose a new folder.`);
  }
}

/** Until the copy is whole and read once, nothing in the folder can be taken for a data directory. */
async function copyInto(target: string, from: OpenedPlace) {
  const unfinished = join(target, UNFINISHED);
  await removeUnfinished(unfinished);
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    if (existsSync(from.dataDir)) {
      for (const folder of [target, unfinished]) await keepOwner(from.dataDir, folder);
    }
    const place = { databaseUrl: null, databaseDirectUrl: null, dataDir: unfinished, s3: null };
    const copied = await withPlace(place, async (to) => {
      await prepareCopy(from, to);
      const result = await copyInstance(from, to);
      await setFinished(to.db);
      return result;
    });
    // The database last: without it the folder is none.
    for (const part of ['files', 'database']) {
      await rename(join(unfinished, part), join(target, part));
    }
    await rmdir(unfinished);
    await syncFile(target);
    return copied;
  } catch (error) {
    const isFull = await lacksSpace(error, target).catch(() => false);
    await removeUnfinished(unfinished);
    throw isFull ? new StartError(full(target)) : error;
  }
}

/** Also of a backup that was killed: its PostgreSQL goes on alone. */
async function removeUnfinished(folder: string): Promise<void> {
  await stopPostmaster(join(folder, 'database', 'cluster'));
  await rm(folder, { recursive: true, force: true });
}

async function lacksSpace(error: unknown, folder: string): Promise<boolean> {
  if (isDatabaseFull(error)) return true;
  if (error instanceof AppError && error.code === 'STORAGE_FULL') return true;
  // A PostgreSQL that can't write its log ends without saying why to its client.
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < LOG_BYTES;
}

const full = (target: string) =>
  `There is no space left on the disk for ${target}. What was copied is deleted again. Choose another disk, or free some space, and make the backup again.`;
