import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { createClient } from '../../server/db/client.ts';
import { isAlive } from '../../server/db/embedded/is-alive.ts';
import { openCluster } from '../../server/db/embedded/open-cluster.ts';
import { stopPostmaster } from '../../server/db/embedded/postmaster.ts';
import { migrateDatabase } from '../../server/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket of the PostgreSQL that the tests share. */
    postgresSocket: string;
  }
}

/** The migrated database that every test file gets a copy of. */
export const TEMPLATE = 'template_migrated';

const PREFIX = 'time-capsule-tests-';

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
  await removeLeftovers();
  const directory = await realpath(await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`)));
  const cluster = await openCluster(directory, SETTINGS);
  async function teardown() {
    await cluster.stop();
    await rm(directory, { recursive: true, force: true });
  }
  try {
    await cluster.run();
    await createTemplate(cluster.address.socketPath);
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide('postgresSocket', cluster.address.socketPath);
  return teardown;
}

async function createTemplate(socketPath: string): Promise<void> {
  const log = pino({ level: 'silent' });
  const sql = createClient({ socketPath }, { log, max: 1 });
  await sql`create database ${sql(TEMPLATE)}`;
  await sql.end();
  await migrateDatabase({ address: { socketPath, database: TEMPLATE }, log });
}

/** A run that was killed could not clean up; its process id stands in the name. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : null;
    if (pid === null || isAlive(pid)) continue;
    const directory = join(tmpdir(), name);
    await stopPostmaster(join(directory, 'cluster'));
    await rm(directory, { recursive: true, force: true });
  }
}
