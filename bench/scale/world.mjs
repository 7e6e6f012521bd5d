import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findOrInstall, findProgram } from '../../scripts/find/find-program.mjs';
import { cpuSeconds, startServer, temporaryDirectory } from '../support/process.mjs';
import { freePort, startPostgres } from './postgres.mjs';

const NGINX = 'docs/deploy/nginx.conf';

/**
 * Two servers on one PostgreSQL and one folder, behind nginx with the documented settings.
 * @param {NodeJS.ProcessEnv} environment of both servers
 * @param {object} options
 * @param {NodeJS.ProcessEnv[]} [options.each] environment variables of one server and of the other
 * @param {(directory: string) => Promise<any>} [options.startDatabase] instead of one PostgreSQL
 * @returns `url` and `port` of nginx; `servers`, each with `kill` and `start`; `postgres`
 */
export async function startWorld(
  environment = {},
  { each = [{}, {}], startDatabase = startPostgres } = {},
) {
  const directory = await temporaryDirectory();
  /** @type {(() => Promise<unknown>)[]} */
  const ends = [directory.remove];
  const close = async () => {
    for (const end of ends.reverse()) await end();
  };
  try {
    const postgres = await startDatabase(directory.path);
    ends.push(postgres.stop);
    const port = await freePort();
    const dataDir = join(directory.path, 'data');
    const settings = {
      DATABASE_URL: postgres.url,
      APP_URL: `http://127.0.0.1:${port}`,
      TRUST_PROXY: '1',
      ...environment,
    };
    // At once, on an empty database: the first start of both.
    const servers = await Promise.all(
      each.map((own) => restartable(dataDir, { ...settings, ...own })),
    );
    ends.push(() => Promise.all(servers.map((server) => server.stop())));
    const nginx = await startNginx(directory.path, port, servers);
    ends.push(nginx.stop);
    return {
      postgres,
      servers,
      port,
      url: settings.APP_URL,
      environment: { ...settings, DATA_DIR: dataDir },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A server that comes back on the same port. */
async function restartable(dataDir, environment) {
  let server = await startServer(dataDir, environment);
  const { port } = server;
  return {
    port,
    cpuSeconds: () => cpuSeconds([server.pid]),
    kill: () => server.kill(),
    stop: () => server.stop(),
    async start() {
      server = await startServer(dataDir, { ...environment, PORT: `${port}` });
    },
  };
}

/** The documented file with other ports and without TLS. */
async function startNginx(directory, port, servers) {
  const program = findOrInstall(
    () => findProgram(['nginx', '/usr/sbin/nginx']),
    ['nginx-light'],
    'No nginx was found. Install it (Debian: apt-get install nginx-light).',
  );
  const unused = await freePort();
  const folder = join(directory, 'nginx');
  mkdirSync(folder);
  const site = readFileSync(NGINX, 'utf8')
    .replace('127.0.0.1:3000', `127.0.0.1:${servers[0].port}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${servers[1].port}`)
    .replace(/^ *(listen \[::\]|ssl_).*\n/gm, '')
    .replaceAll('/var/log/nginx', folder)
    .replace('listen 80;', `listen 127.0.0.1:${unused};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off;
pid ${join(folder, 'pid')};
error_log ${join(folder, 'error.log')};
events {}
http {
${folders}
${site}
}
`,
  );
  const child = spawn(program, ['-c', file, '-e', join(folder, 'error.log')], { stdio: 'inherit' });
  await listens(port);
  return {
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function listens(port) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('nginx does not listen');
}
