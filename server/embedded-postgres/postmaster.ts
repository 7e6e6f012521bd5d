import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const POLL_MS = 15;

/** A PostgreSQL server that runs on a cluster, as its `postmaster.pid` tells. */
export interface Postmaster {
  pid: number;
  socketDirectory: string;
  ready: boolean;
}

/** Null when no server runs on `cluster`; a `postmaster.pid` that a crash left does not count. */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !(await runsOn(pid, cluster))) return null;
  return { pid, socketDirectory: lines[4] ?? '', ready: lines[7] === 'ready' };
}

/**
 * Stops the server on `cluster`, whoever started it, and returns when it is gone.
 * Connections are ended and transactions rolled back ("fast"); after `patienceMs` it is
 * stopped without a checkpoint ("immediate"), which the next start recovers from.
 */
export async function stopPostmaster(cluster: string, patienceMs = 30_000): Promise<void> {
  const postmaster = await findPostmaster(cluster);
  if (!postmaster) return;
  const { pid } = postmaster;
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    signalIfAlive(pid, signal);
    const giveUpAt = performance.now() + patienceMs;
    while (performance.now() < giveUpAt) {
      if (!(await runsOn(pid, cluster))) return;
      await delay(POLL_MS);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop.`);
}

/**
 * Removes a `postmaster.pid` that a crash left behind, where PostgreSQL would take it for that
 * of a living server: its process is not reaped yet, or its number belongs to another program.
 * What remains of the old server is given time to end; PostgreSQL guards itself against the rest.
 * Only for who has the lock of the directory: the file may be that of a server in another container.
 */
export async function clearStaleLock(cluster: string, patienceMs = 3000): Promise<void> {
  const path = join(cluster, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch(() => null);
  const pid = Number(text?.split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1 || (await runsOn(pid, cluster))) return;
  const giveUpAt = performance.now() + patienceMs;
  while (isAlive(pid)) {
    if (performance.now() > giveUpAt) return rm(path, { force: true });
    await delay(POLL_MS);
  }
}

/** Process ids are reused, so only a PostgreSQL process working in this directory counts. */
async function runsOn(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const [workingDirectory, wanted] = await Promise.all([
      readlink(`/proc/${pid}/cwd`).catch(() => null),
      realpath(cluster),
    ]);
    return workingDirectory === wanted;
  }
  const command = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => null);
  return command?.stdout.includes(cluster) ?? false;
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** True when a process has this number; it may belong to another user, or to another program. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
