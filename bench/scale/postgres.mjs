import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import { findOrInstall, findProgram } from '../../scripts/find-program.mjs';
import { seeding } from '../support/database.mjs';
import { cpuSeconds } from '../support/process.mjs';

const DEBIAN = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A PostgreSQL of Debian's package, as durable as it comes, listening on loopback alone. */
export async function startPostgres(directory) {
  const program = findOrInstall(
    () => findProgram([...versions(), 'postgres']),
    ['postgresql'],
    'No PostgreSQL was found. Install it (Debian: apt-get install postgresql).',
  );
  const data = join(directory, 'postgresql');
  mkdirSync(data, { mode: 0o700 });
  if (NOBODY.uid) {
    chmodSync(directory, 0o755);
    chownSync(data, NOBODY.uid, NOBODY.gid);
  }
  const options = { stdio: 'ignore', cwd: '/', ...NOBODY };
  const initdb = join(dirname(program), 'initdb');
  const settings = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  execFileSync(initdb, ['-D', data, ...settings], options);
  const port = await freePort();
  const start = () =>
    spawn(
      program,
      ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-c', 'unix_socket_directories='],
      options,
    );
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const sql = postgres(url, { max: 1, idle_timeout: 1, onnotice() {} });
  let child = start();
  await answers(sql);

  /** The postmaster and its children, one for each connection. */
  function processes() {
    const { stdout } = spawnSync('pgrep', ['-P', `${child.pid}`], { encoding: 'utf8' });
    return [child.pid, ...stdout.split('\n').filter(Boolean).map(Number)];
  }
  /** Stops them. A process of its own lets them go on, even if this one is interrupted. */
  async function freeze(seconds) {
    const pids = processes().join(' ');
    const script = `kill -STOP ${pids}; sleep ${seconds}; kill -CONT ${pids}`;
    await once(spawn('sh', ['-c', script], { detached: true, stdio: 'ignore' }), 'exit');
  }
  /** SIGINT: ends connections and stops. SIGQUIT: as after a crash. */
  async function end(signal) {
    child.kill(signal);
    if (child.exitCode === null) await once(child, 'exit');
  }

  return {
    url,
    sql,
    ...seeding(sql),
    freeze,
    cpuSeconds: () => cpuSeconds(processes()),
    async restart(signal) {
      await end(signal);
      child = start();
      await answers(sql);
    },
    async stop() {
      await sql.end({ timeout: 1 });
      await end('SIGINT');
    },
  };
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
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
