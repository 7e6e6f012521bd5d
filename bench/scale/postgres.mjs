import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { findOrInstall, findProgram } from '../../scripts/find/find-program.mjs';
import { seeding } from '../support/database.mjs';
import { cpuSeconds } from '../support/process.mjs';

const DEBIAN = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A PostgreSQL of Debian's package, as durable as it comes, listening on loopback alone. */
export async function startPostgres(directory) {
  const cluster = await createCluster(directory, 'postgresql');
  cluster.initialize();
  cluster.start();
  const sql = connect(cluster.url);
  await answers(sql);

  /** Stops its processes. A process of its own lets them go on, even if this one is interrupted. */
  async function freeze(seconds) {
    const pids = cluster.processes().join(' ');
    const script = `kill -STOP ${pids}; sleep ${seconds}; kill -CONT ${pids}`;
    await once(spawn('sh', ['-c', script], { detached: true, stdio: 'ignore' }), 'exit');
  }

  return {
    url: cluster.url,
    sql,
    ...seeding(sql),
    freeze,
    cpuSeconds: () => cpuSeconds(cluster.processes()),
    async restart(signal) {
      await cluster.end(signal);
      cluster.start();
      await answers(sql);
    },
    async stop() {
      await sql.end({ timeout: 1 });
      await cluster.end('SIGINT');
    },
  };
}

/**
 * Two of them, of which one follows the other: a commit is answered when both have it.
 * @returns as `startPostgres`, with one address for both, and with `failOver`
 */
export async function startPair(directory) {
  const settings = ['-c', 'synchronous_standby_names=*'];
  let primary = await createCluster(directory, 'one', settings);
  let standby = await createCluster(directory, 'two', settings);
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`);
  const url = `postgres://postgres@${hosts}/postgres?target_session_attrs=primary`;
  const sql = connect(url);
  primary.initialize();
  primary.start();
  await follow();

  /** Makes the standby anew, from the primary. */
  async function follow() {
    const direct = connect(primary.url);
    await answers(direct);
    standby.copyOf(primary);
    standby.start();
    const isBehind = async () =>
      (await direct`select 1 from pg_stat_replication where sync_state = 'sync'`).length === 0;
    while (await isBehind()) await pause(50);
    await direct.end();
  }

  return {
    url,
    sql,
    ...seeding(sql),
    /** The primary ends as in a crash and loses its disk. The standby takes its place. */
    async failOver() {
      await primary.end('SIGQUIT');
      standby.promote();
      [primary, standby] = [standby, primary];
      await follow();
    },
    async stop() {
      await sql.end({ timeout: 1 });
      await standby.end('SIGINT');
      await primary.end('SIGINT');
    },
  };
}

/** A folder for a PostgreSQL, its port, and what can be done with it. */
async function createCluster(directory, name, settings = []) {
  const program = findOrInstall(
    () => findProgram([...versions(), 'postgres']),
    ['postgresql'],
    'No PostgreSQL was found. Install it (Debian: apt-get install postgresql).',
  );
  const data = join(directory, name);
  const port = await freePort();
  const options = { stdio: /** @type {const} */ ('ignore'), cwd: '/', ...NOBODY };
  let child = null;

  function run(command, args) {
    execFileSync(join(dirname(program), command), ['-D', data, ...args], options);
  }
  function makeFolder() {
    rmSync(data, { recursive: true, force: true });
    mkdirSync(data, { mode: 0o700 });
    if (!NOBODY.uid) return;
    chmodSync(directory, 0o755);
    chownSync(data, NOBODY.uid, NOBODY.gid);
  }

  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    initialize() {
      makeFolder();
      run('initdb', ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']);
    },
    copyOf(primary) {
      makeFolder();
      const from = ['-h', '127.0.0.1', '-p', `${primary.port}`, '-U', 'postgres'];
      run('pg_basebackup', [...from, '-R', '-c', 'fast', '--no-sync']);
    },
    promote: () => run('pg_ctl', ['promote']),
    start() {
      const listening = ['-p', `${port}`, '-h', '127.0.0.1', '-c', 'unix_socket_directories='];
      child = spawn(program, ['-D', data, ...listening, ...settings], options);
    },
    /** SIGINT: ends connections and stops. SIGQUIT: as after a crash. */
    async end(signal) {
      child.kill(signal);
      if (child.exitCode === null) await once(child, 'exit');
    },
    /** The postmaster and its children, one for each connection. */
    processes() {
      const { stdout } = spawnSync('pgrep', ['-P', `${child.pid}`], { encoding: 'utf8' });
      return [child.pid, ...stdout.split('\n').filter(Boolean).map(Number)];
    },
  };
}

function connect(url) {
  return postgres(url, { max: 1, idle_timeout: 1, onnotice() {} });
}

/** Debian's programs, the newest version first. */
function versions() {
  try {
    const names = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
    return names.map((name) => join(DEBIAN, name, 'bin/postgres'));
  } catch {
    return [];
  }
}

async function answers(sql) {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      await sql`select 1`;
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, 'close');
  return port;
}
