import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { lockHolder, tryLock } from '../db/advisory-locks.ts';
import { createClient, type DatabaseAddress } from '../db/client.ts';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import { isAlive } from './postmaster.ts';

export interface ServerLock {
  /** Releases the lock. */
  release(): Promise<void>;
}

export interface ServerLockOptions {
  address: DatabaseAddress;
  dataDir: string;
  log: Log;
  /** Called when the connection that holds the lock is lost. */
  onLost: () => void;
}

/** Another process is using the data directory. */
export class InUseError extends StartError {}

/** @param pid unknown where the other server is in another container */
export function describeInUse(dataDir: string, pid?: number): string {
  const which = pid ? `process ${pid}` : 'perhaps in another container';
  return `The data directory ${dataDir} is in use by another Time Capsule server (${which}). Stop that one first, or set DATA_DIR to another directory.`;
}

const NAME = /^time-capsule server, process (\d+)$/;
/** PostgreSQL notices within this time that the process behind a lock was killed. */
const PATIENCE_MS = 3000;
const POLL_MS = 50;

/**
 * Takes the "one server for each data directory" lock: an advisory lock of a connection of
 * its own. It needs no cleaning up, for it goes when the process goes, however that ends;
 * and the name of the connection tells a second process who the first one is.
 * @throws InUseError naming the process that has it; a connection error when there is none.
 */
export async function takeServerLock(options: ServerLockOptions): Promise<ServerLock> {
  let held = false;
  const sql = createClient(options.address, {
    log: options.log,
    max: 1,
    max_lifetime: null,
    connection: { application_name: `time-capsule server, process ${process.pid}` },
    onclose: () => {
      if (!held) return;
      held = false;
      options.onLost();
    },
  });
  try {
    await take(sql, options.dataDir);
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
  held = true;
  return {
    async release() {
      held = false;
      await sql.end({ timeout: 0 });
    },
  };
}

async function take(sql: Sql, dataDir: string): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!(await tryLock(sql, 'server'))) {
    const pid = Number(NAME.exec((await lockHolder(sql, 'server')) ?? '')?.[1]);
    const isHere = pid > 0 && pid !== process.pid && isAlive(pid);
    if (isHere) throw new InUseError(describeInUse(dataDir, pid));
    if (performance.now() > giveUpAt) throw new InUseError(describeInUse(dataDir));
    await delay(POLL_MS);
  }
}
