import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { createClient, NOT_A_SERVER } from '../db/client.ts';
import { isDatabaseAway } from '../db/errors.ts';
import { StartError } from '../start-error.ts';
import { findBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { lockDirectory } from './directory-lock.ts';
import { chooseIdentity } from './identity.ts';
import { clearStaleLock, findPostmaster, stopPostmaster } from './postmaster.ts';
import { runPostgres } from './run-postgres.ts';
import { describeInUse } from './server-lock.ts';
import { prepareSocketDirectory, SOCKET_NAME } from './socket-directory.ts';

export interface Cluster {
  address: { socketPath: string };
  /**
   * Returns when PostgreSQL accepts connections: true when it was running already.
   * @throws StartError when another server has the directory, and doesn't let us in
   */
  run(): Promise<boolean>;
  /**
   * Stops PostgreSQL, whoever started it; no error when it does not run. One that a process in
   * another container started goes on until that one ends.
   */
  stop(): Promise<void>;
}

/** A server that says it is ready, but has no usable socket, is replaced after this time. */
const SILENT_MS = 5000;
const POLL_MS = 25;
/** What is left of a killed server holds the lock until its last statement has timed out. */
const LOCKED_MS = 20_000;
const LOCKED_POLL_MS = 100;

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
  const socketDirectory = await prepareSocketDirectory(directory, identity);
  const address = { socketPath: join(socketDirectory, SOCKET_NAME) };

  /** True when it was running already; null while another process has the lock. */
  async function tryToRun(): Promise<boolean | null> {
    const lock = await lockDirectory(directory);
    try {
      const found = await find(cluster, socketDirectory, address);
      if (found === 'ready') return true;
      if (found === 'silent') await stopPostmaster(cluster);
      // A version before this one took no lock, but its socket tells.
      if (!lock || (await ask(address)) !== 'nobody') return null;
      await ensureCluster(cluster, { binaries, identity, lock });
      await clearStaleLock(cluster);
      await runPostgres({ cluster, socketDirectory, logFile, binaries, identity, settings, lock });
      return false;
    } finally {
      await lock?.close();
    }
  }

  return {
    address,
    async run() {
      const giveUpAt = performance.now() + LOCKED_MS;
      for (;;) {
        const adopted = await tryToRun();
        if (adopted !== null) return adopted;
        if (performance.now() > giveUpAt) throw new StartError(describeInUse(dirname(directory)));
        await delay(LOCKED_POLL_MS);
      }
    },
    stop: () => stopPostmaster(cluster),
  };
}

/**
 * Waits while a server starts or stops. One that is `ready` answers at `address`, which it does to other
 * containers too, where its process can't be seen; a `silent` one is a process that can be stopped.
 */
async function find(
  cluster: string,
  socketDirectory: string,
  address: { socketPath: string },
): Promise<'ready' | 'silent' | 'nobody'> {
  let giveUpAt: number | null = null;
  for (;;) {
    const postmaster = await findPostmaster(cluster);
    // Unknown for as long as it opens its socket.
    const theirs = postmaster?.socketDirectory || socketDirectory;
    if (theirs !== socketDirectory) return 'silent';
    if (!postmaster || postmaster.ready) {
      const answer = await ask(address);
      if (answer === 'ready') return 'ready';
      if (!postmaster && answer === 'nobody') return 'nobody';
      giveUpAt ??= performance.now() + SILENT_MS;
      if (performance.now() > giveUpAt) return postmaster ? 'silent' : 'nobody';
    }
    await delay(POLL_MS);
  }
}

/** Whether a PostgreSQL answers at `address`, or is starting, stopping or frozen there. */
async function ask(address: { socketPath: string }): Promise<'ready' | 'busy' | 'nobody'> {
  if (!(await isListening(address.socketPath))) return 'nobody';
  const log = pino({ level: 'silent' });
  const sql = createClient(address, { log, max: 1, connect_timeout: 5, connection: NOT_A_SERVER });
  try {
    await sql`select 1`;
    return 'ready';
  } catch (error) {
    return isDatabaseAway(error) ? 'busy' : 'ready';
  } finally {
    await sql.end({ timeout: 0 });
  }
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });
}
