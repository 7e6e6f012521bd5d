import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { createClient, type DatabaseAddress } from '../db/client.ts';
import { isDatabaseAway } from '../db/errors.ts';
import { findBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { chooseIdentity } from './identity.ts';
import { clearStaleLock, findPostmaster, stopPostmaster } from './postmaster.ts';
import { runPostgres } from './run-postgres.ts';
import { prepareSocketDirectory, SOCKET_NAME } from './socket-directory.ts';

export interface Cluster {
  address: { socketPath: string };
  /** Returns when PostgreSQL accepts connections: true when it was running already. */
  run(): Promise<boolean>;
  /** Stops PostgreSQL, whoever started it; no error when it does not run. */
  stop(): Promise<void>;
}

/** A server that says it is ready, but has no usable socket, is replaced after this time. */
const SILENT_MS = 5000;
const POLL_MS = 25;

/**
 * A PostgreSQL cluster under `directory` (private, absolute, without symlinks), made if need be.
 * @throws StartError when it cannot be made or opened on this machine.
 */
export async function openCluster(
  directory: string,
  settings: Record<string, string> = {},
): Promise<Cluster> {
  const cluster = join(directory, 'cluster');
  const logFile = join(directory, 'postgres.log');
  const binaries = await findBinaries();
  const identity = await chooseIdentity(binaries, directory, cluster);
  await ensureCluster(cluster, binaries, identity);
  const socketDirectory = await prepareSocketDirectory(directory, identity);
  const address = { socketPath: join(socketDirectory, SOCKET_NAME) };

  return {
    address,
    async run() {
      if (await adopt(cluster, socketDirectory, address)) return true;
      await stopPostmaster(cluster);
      await clearStaleLock(cluster);
      await runPostgres({ cluster, socketDirectory, logFile, binaries, identity, settings });
      return false;
    },
    stop: () => stopPostmaster(cluster),
  };
}

/** Waits while a server starts or stops. True if one then answers at `address`. */
async function adopt(cluster: string, socketDirectory: string, address: DatabaseAddress) {
  let giveUpAt: number | null = null;
  for (;;) {
    const postmaster = await findPostmaster(cluster);
    if (!postmaster || postmaster.socketDirectory !== socketDirectory) return false;
    if (postmaster.ready) {
      if (await answers(address)) return true;
      giveUpAt ??= performance.now() + SILENT_MS;
      if (performance.now() > giveUpAt) return false;
    }
    await delay(POLL_MS);
  }
}

async function answers(address: DatabaseAddress): Promise<boolean> {
  const log = pino({ level: 'silent' });
  const sql = createClient(address, { log, max: 1, connect_timeout: 5 });
  try {
    await sql`select 1`;
    return true;
  } catch (error) {
    return !isDatabaseAway(error);
  } finally {
    await sql.end({ timeout: 0 });
  }
}
