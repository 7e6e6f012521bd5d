import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findOrInstall, findProgram } from '../../scripts/find/find-program.mjs';
import { projectRoot } from '../../server/project-root.ts';
import { freePort } from '../support/server.ts';
import { until } from '../support/until.ts';

/*
 * The documented files of both proxies, without TLS and on ports of this machine: before a server
 * that answers, and one that doesn't, which is what proxies write most about.
 */

const SECRET = 'living-link';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'time-capsule-proxy-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function startBackend(): Promise<number> {
  const server = createServer((_request, response) => response.end('ok'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function run(program: string, args: string[], log: string[], env = {}): void {
  const child = spawn(program, args, { env: { ...process.env, ...env } });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => void log.push(text));
  }
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
}

/** Opens a link, and then what its page asks for. */
async function openLink(port: number): Promise<number> {
  const { status } = await until(() =>
    fetch(`http://127.0.0.1:${port}/auth/undo-email?token=${SECRET}`, {
      headers: { referer: `http://127.0.0.1/auth?token=${SECRET}` },
    }).catch(() => null),
  );
  return status;
}

test('nginx logs no query', async () => {
  const program = findOrInstall(
    () => findProgram(['nginx', '/usr/sbin/nginx']),
    ['nginx-light'],
    'No nginx was found. Install it (Debian: apt-get install nginx-light).',
  );
  const folder = await newFolder();
  const backend = await startBackend();
  const [port, unused, nobody] = [await freePort(), await freePort(), await freePort()];
  const shipped = await readFile(join(projectRoot, 'docs/deploy/nginx.conf'), 'utf8');
  const siteFor = (server: number) =>
    shipped
      .replace('127.0.0.1:3000', `127.0.0.1:${server}`)
      .replace(/^.*127\.0\.0\.1:3001.*\n/m, '')
      .replaceAll('/var/log/nginx', folder)
      .replace(/^ *(listen \[::\]|ssl_).*\n/gm, '')
      .replace('listen 80;', `listen 127.0.0.1:${unused};`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`);
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  const file = join(folder, 'nginx.conf');
  const start = async (server: number) =>
    writeFile(
      file,
      `daemon off; pid ${join(folder, 'pid')}; events {} http { ${temps}\n${siteFor(server)} }`,
    );
  await start(backend);
  run(program, ['-c', file, '-e', join(folder, 'start.log')], []);
  expect(await openLink(port)).toBe(200);
  await start(nobody);
  process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')), 'SIGHUP');
  await until(async () => ((await openLink(port)) === 502 ? true : null));

  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  const logs = (
    await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  ).join();
  expect(logs).toMatch(/"GET \/auth\/undo-email HTTP\/1\.1" 200 /);
  expect(logs).toMatch(/"GET \/auth\/undo-email HTTP\/1\.1" 502 /);
  expect(logs).not.toContain(SECRET);
});

test('Caddy logs no query', async () => {
  const program = findOrInstall(
    () => findProgram(['caddy']),
    ['caddy'],
    'No Caddy was found. Install it (Debian: apt-get install caddy).',
  );
  const folder = await newFolder();
  const shipped = await readFile(join(projectRoot, 'docs/deploy/Caddyfile'), 'utf8');
  const backend = await startBackend();
  for (const [server, status] of [
    [backend, 200],
    [await freePort(), 503],
  ] as const) {
    const port = await freePort();
    const file = join(folder, 'Caddyfile');
    // Without its own look at the servers, so that a request meets the one that is dead.
    const site = shipped
      .replace(/^{$/m, '{\n\tadmin off')
      .replace(/^\t\thealth_.*\n/gm, '')
      .replace(/lb_try_duration.*/, 'lb_try_duration 0');
    await writeFile(file, site);
    const log: string[] = [];
    run(program, ['run', '--adapter', 'caddyfile', '--config', file], log, {
      DOMAIN: `http://127.0.0.1:${port}`,
      SERVERS: `127.0.0.1:${server}`,
      HOME: folder,
    });
    const answered = await openLink(port);
    expect(answered === status || answered === 502).toBe(true);
    if (status !== 200) {
      await until(() => (log.join('').includes('/auth/undo-email') ? true : null));
    }
    expect(log.join('')).not.toContain(SECRET);
  }
});
