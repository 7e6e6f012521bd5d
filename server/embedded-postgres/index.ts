import { chmod, mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseAddress } from '../db/client.ts';
import { isDatabaseAway } from '../db/errors.ts';
import { keepOwner } from '../keep-owner.ts';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import { openCluster } from './open-cluster.ts';
import { InUseError, type ServerLock, takeServerLock } from './server-lock.ts';

export { type Cluster, openCluster } from './open-cluster.ts';
export { findPostmaster, isAlive, type Postmaster, stopPostmaster } from './postmaster.ts';
export { SOCKET_NAME } from './socket-directory.ts';

export interface EmbeddedDatabase {
  address: DatabaseAddress;
  /** Ends every connection, stops PostgreSQL, and then releases the data directory. */
  stop(): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  dataDir: string;
  log: Log;
  /** Called when another process has taken the data directory, so that this one must end. */
  onLost: (reason: StartError) => void;
}

const PAUSE_MIN_MS = 100;
const PAUSE_MAX_MS = 5000;
const START_MS = 10_000;

/**
 * The database of a server without DATABASE_URL: a PostgreSQL of our own in
 * `DATA_DIR/database`, reached by a unix socket that only this user can open. It is made at
 * the first start, taken over when it outlived a crash of ours, started again when it ends by
 * itself, and stopped with the server.
 * @throws StartError with the one line its operator needs.
 */
export async function startEmbeddedDatabase({
  dataDir,
  log,
  onLost,
}: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const cluster = await openCluster(await ownDirectory(join(dataDir, 'database')));
  const { address } = cluster;
  let stopping = false;
  let isLost = false;
  let recovery = Promise.resolve();
  let lock: ServerLock | null = null;

  async function runAndLock(): Promise<void> {
    await cluster.run();
    lock = await takeServerLock({
      address,
      dataDir,
      log,
      onLost: () => {
        recovery = recover();
      },
    });
  }

  /** Starts PostgreSQL again after it ended by itself. */
  async function recover(): Promise<void> {
    for (let pause = PAUSE_MIN_MS; !stopping; pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
      log.error('The database has stopped by itself. Starting it again …');
      try {
        await lock?.release();
        await runAndLock();
        return log.info('The database is running again.');
      } catch (error) {
        if (error instanceof InUseError) {
          isLost = true;
          return onLost(error);
        }
        log.error({ err: error }, 'The database does not start.');
      }
      await delay(pause);
    }
  }

  async function start(): Promise<void> {
    const giveUpAt = performance.now() + START_MS;
    for (;;) {
      try {
        return await runAndLock();
      } catch (error) {
        // Another process may be starting or stopping it at this very moment.
        if (!isDatabaseAway(error) || performance.now() > giveUpAt) throw error;
        await delay(PAUSE_MIN_MS);
      }
    }
  }

  log.info('Starting the database …');
  await start();
  return {
    address,
    async stop() {
      stopping = true;
      await recovery;
      // Stop PostgreSQL before releasing the lock, so that no second server starts on a closing
      // database.
      if (!isLost) await cluster.stop();
      await lock?.release();
    },
  };
}

/** Makes the directory private, and its path real: PostgreSQL compares paths. */
async function ownDirectory(path: string): Promise<string> {
  try {
    const made = await mkdir(path, { recursive: true, mode: 0o700 });
    await chmod(path, 0o700);
    if (made) await keepOwner(dirname(path), path);
    return await realpath(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The data directory cannot be used: ${reason}.`, { cause: error });
  }
}

/**
 * The database in `dataDir` for a short command: that of a server which runs, else one of our
 * own that `leave()` stops again.
 */
export async function openEmbeddedDatabase(
  dataDir: string,
): Promise<{ address: DatabaseAddress; leave(): Promise<void> }> {
  const cluster = await openCluster(await ownDirectory(join(dataDir, 'database')));
  const adopted = await cluster.run();
  return {
    address: cluster.address,
    leave: () => (adopted ? Promise.resolve() : cluster.stop()),
  };
}
