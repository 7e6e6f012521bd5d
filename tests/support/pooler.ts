import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPgbouncer } from '../../scripts/find/find-pgbouncer.mjs';
import { freePort } from './server.ts';
import { until } from './until.ts';

/** Debian's `nobody`: PgBouncer refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

export interface Pooler {
  /** The addresses of a database through PgBouncer, and past it. */
  addressesOf(database: string): { DATABASE_URL: string; DATABASE_DIRECT_URL: string };
  close(): Promise<void>;
}

/** PgBouncer in transaction mode, as it comes, with two connections to the PostgreSQL at this socket. */
export async function startPooler(socketPath: string): Promise<Pooler> {
  const relay = await relayTo(socketPath);
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'time-capsule-pooler-'));
  await chmod(directory, 0o755);
  const settings = join(directory, 'pgbouncer.ini');
  await writeFile(
    settings,
    `[databases]
* = host=127.0.0.1 port=${relay.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
  );
  const user = process.getuid?.() === 0 ? NOBODY : {};
  const pooler = spawn(findPgbouncer(), ['--quiet', settings], { stdio: 'ignore', ...user });
  await until(() => answers(port));
  return {
    addressesOf: (database) => ({
      DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/${database}`,
      DATABASE_DIRECT_URL: `postgres://postgres@127.0.0.1:${relay.port}/${database}`,
    }),
    async close() {
      await end(pooler);
      await relay.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The PostgreSQL of the tests listens on a socket alone, which an address in the environment cannot name. */
export async function relayTo(
  socketPath: string,
): Promise<{ port: number; close(): Promise<void> }> {
  const port = await freePort();
  const server = createServer((near) => {
    const far = connect(socketPath);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

function answers(port: number): Promise<true | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => resolve(null));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
