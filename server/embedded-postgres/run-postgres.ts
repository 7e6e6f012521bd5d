import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { keepOwner } from '../keep-owner.ts';
import { StartError } from '../start-error.ts';
import type { Binaries } from './binaries.ts';
import { type Identity, spawnAs } from './identity.ts';
import { findPostmaster } from './postmaster.ts';

const POLL_MS = 10;
const LOG_MAX_BYTES = 1_000_000;

/** Sized for a laptop. A busy site sets DATABASE_URL. */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '30',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Starts, stops and crashes; errors of single statements quote what people wrote.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

export interface RunOptions {
  cluster: string;
  socketDirectory: string;
  logFile: string;
  binaries: Binaries;
  identity: Identity;
  /** Settings that replace ours. */
  settings?: Record<string, string>;
  /** The lock of the directory, which PostgreSQL and its children hold for as long as they run. */
  lock: FileHandle;
}

/**
 * Starts PostgreSQL and returns when it accepts connections; after a crash that includes its
 * recovery. It is a process group of its own: Ctrl-C stops us, and we stop it after the
 * last request.
 * @throws StartError with PostgreSQL's own reason.
 */
export async function runPostgres(options: RunOptions): Promise<void> {
  const { cluster, socketDirectory, logFile, binaries, identity, lock } = options;
  const settings = { ...SETTINGS, unix_socket_directories: socketDirectory, ...options.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await openLog(logFile);
  try {
    const from = (await log.stat()).size;
    const child = spawnAs(identity, binaries.postgres, ['-D', cluster, ...flags], {
      detached: true,
      stdio: ['ignore', log.fd, log.fd, lock.fd],
    });
    child.unref();
    let failure: string | null = null;
    child.once('error', (error) => {
      failure = error.message;
    });
    while (!(await isReady(cluster, child.pid))) {
      if (failure === null && child.exitCode === null && child.signalCode === null) {
        await delay(POLL_MS);
        continue;
      }
      throw new StartError(whyNot(cluster, failure ?? (await readFrom(log, from))));
    }
  } finally {
    await log.close();
  }
}

async function isReady(cluster: string, pid: number | undefined): Promise<boolean> {
  const postmaster = await findPostmaster(cluster);
  return postmaster !== null && postmaster.pid === pid && postmaster.ready;
}

async function openLog(path: string): Promise<FileHandle> {
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  );
  if (size > LOG_MAX_BYTES) await rename(path, `${path}.1`);
  const file = await open(path, 'a+', 0o600);
  await keepOwner(dirname(path), path);
  return file;
}

async function readFrom(log: FileHandle, position: number): Promise<string> {
  const { buffer, bytesRead } = await log.read({ buffer: Buffer.alloc(20_000), position });
  return buffer.toString('utf8', 0, bytesRead);
}

function whyNot(cluster: string, output: string): string {
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return `There is no space left on the disk for the database in ${join(cluster, '..')}. Free some and start again.`;
  }
  const reason = /(?:FATAL|PANIC):\s*(.+)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1);
  return `The embedded database did not start: ${reason || 'it ended without a word'}.`;
}
