import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import {
  findPostmaster,
  type Postmaster,
  stopPostmaster,
} from '../../server/embedded-postgres/index.ts';
import { until } from './until.ts';

/** Debian's `nobody`: owns nothing and may nothing. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Who runs the server: what stands before it on the command line, or its user. */
export interface Runner {
  prefix: string[];
  uid?: number;
  gid?: number;
  /** What stands before it starts it as a child, and goes on itself. */
  isParent?: boolean;
}

export const asMyself: Runner = { prefix: [] };

/** Root, or in a user namespace a process that takes itself for root. */
export function asRoot(): Runner {
  return isRoot() ? asMyself : { prefix: ['unshare', '--map-root-user'] };
}

/** Not root: `nobody`, or, where it cannot reach this checkout, a process that takes itself for one. */
export function asOrdinaryUser(): Runner {
  return isRoot() ? asUser(NOBODY) : asMyself;
}

/** A number that no line of /etc/passwd has, as a NAS or OpenShift gives to a container. */
export function asUserWithoutName(): Runner {
  return asUser({ uid: 54_321, gid: 54_321 });
}

function asUser({ uid, gid }: { uid: number; gid: number }): Runner {
  const reach = spawnSync(process.execPath, ['--check', inject('serverEntry')], { uid, gid });
  if (isRoot() && reach.status === 0) return { prefix: [], uid, gid };
  return { prefix: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`] };
}

/** With a disk of so many megabytes in place of this folder, which nobody else sees. */
export function onSmallDisk(folder: string, megabytes: number): Runner {
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs '${folder}' && exec "$@"`;
  return {
    prefix: ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mount, 'sh'],
  };
}

/** With process ids and shared memory of its own, in which it is process 1. */
export function asContainer(): Runner {
  const own = ['--pid', '--ipc', '--mount-proc', '--fork', '--kill-child'];
  const user = isRoot() ? [] : ['--user', '--map-current-user'];
  return { prefix: ['unshare', ...user, ...own], isParent: true };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ServerProcess {
  readonly pid: number;
  /** Standard error so far. */
  stderr(): string;
  /** The messages logged so far. */
  messages(): string[];
  /** Its address, once it is ready. */
  ready(): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  exited: Promise<Exit>;
}

/** A data directory of its own, and the servers that run on it. */
export interface DataDirectory {
  path: string;
  start(environment?: Record<string, string>, as?: Runner): ServerProcess;
  /** The embedded PostgreSQL that runs on it. */
  postmaster(): Promise<Postmaster | null>;
  /** Ends every server and the database, and removes the directory. */
  remove(): Promise<void>;
}

export async function createDataDirectory(
  runner: Runner = asMyself,
  name = 'data',
): Promise<DataDirectory> {
  const parent = await mkdtemp(join(tmpdir(), 'time-capsule-faults-'));
  chmodSync(parent, 0o755);
  if (runner.uid !== undefined && runner.gid !== undefined) {
    chownSync(parent, runner.uid, runner.gid);
  }
  const path = join(parent, name);
  const cluster = join(path, 'database', 'cluster');
  const servers: ServerProcess[] = [];
  return {
    path,
    start(environment = {}, as = runner) {
      const server = spawnServer(as, parent, { DATA_DIR: path, ...environment });
      servers.push(server);
      return server;
    },
    postmaster: () => findPostmaster(cluster),
    async remove() {
      for (const server of servers) server.kill('SIGKILL');
      await Promise.all(servers.map(({ exited }) => exited));
      await stopPostmaster(cluster);
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** Starts elsewhere than in the project: nothing may depend on the working directory. */
export function spawnServer(
  { prefix, uid, gid, isParent }: Runner,
  cwd: string,
  environment: Record<string, string>,
): ServerProcess {
  const node = process.execPath;
  const [command = node, ...rest] = [...prefix, node, inject('serverEntry')];
  const child = spawn(command, rest, {
    uid,
    gid,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOST: '127.0.0.1',
      PORT: '0',
      ...environment,
    },
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const exited = waitForExit(child);
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  const lines = () =>
    stdout()
      .split('\n')
      .slice(0, -1)
      .map((line): { msg: string; port?: number } => JSON.parse(line));

  return {
    pid: child.pid ?? 0,
    stderr,
    messages: () => lines().map(({ msg }) => msg),
    kill(signal) {
      const { pid } = child;
      // A container that is killed takes all in it along.
      if (!isParent || !pid || signal === 'SIGKILL') return void child.kill(signal);
      const [inner] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
      process.kill(Number(inner), signal);
    },
    exited,
    ready: () =>
      until(() => {
        const line = lines().find(({ msg }) => msg.startsWith('Time Capsule is ready'));
        if (line) return `http://127.0.0.1:${line.port}`;
        if (ended) throw new Error(`The server ended: ${stderr()}`);
        return null;
      }),
  };
}

function collect(stream: ChildProcess['stdout']): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

function waitForExit(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}
