import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { acceptStoreOfDatabase } from '../../server/operator/accept-store.ts';
import { XSRF_COOKIE, XSRF_HEADER } from '../../shared/limits.ts';
import { createClient } from '../support/client.ts';
import { rare } from '../support/rare.ts';
import { freePort } from '../support/server.ts';
import {
  asMyself,
  asOrdinaryUser,
  asRoot,
  asUserWithoutName,
  createDataDirectory,
  type DataDirectory,
  type Runner,
  type ServerProcess,
} from '../support/server-process.ts';
import { until } from '../support/until.ts';

const opened: DataDirectory[] = [];
afterEach(async () => {
  for (const data of opened.splice(0)) await data.remove();
});

async function createData(runner: Runner = asMyself, name?: string): Promise<DataDirectory> {
  const data = await createDataDirectory(runner, name);
  opened.push(data);
  return data;
}

/** The one line of a start that was refused. */
async function refusal(server: ServerProcess): Promise<string> {
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.stderr()).toMatch(/^[^\n]+\n$/);
  return server.stderr().trim();
}

/** Starts a server on an empty directory, stops it on SIGTERM, and looks for what it has left running. */
async function startAndStop(runner: Runner): Promise<void> {
  const data = await createData(runner);
  const server = data.start();
  const url = await server.ready();
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(await data.postmaster()).toMatchObject({ ready: true });

  server.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(server.stderr()).toBe('');
  expect(await data.postmaster()).toBeNull();
}
rare('as root it starts on an empty directory, and stops with its database', () =>
  startAndStop(asRoot()),
);
rare('as an ordinary user it does, too', () => startAndStop(asOrdinaryUser()));
rare('as a user without a name it does, too', () => startAndStop(asUserWithoutName()));

rare(
  'at a terminal it says in plain words where it is, where emails go and how to stop',
  async () => {
    const data = await createData();
    const command = `exec ${process.execPath} ${inject('serverEntry')}`;
    const environment = { DATA_DIR: data.path, PORT: '0', PATH: process.env.PATH };
    // Gives the server a terminal, and passes on what is typed.
    const terminal = spawn('script', ['-qec', command, '/dev/null'], { env: environment });
    // Once all that it has said is here, too.
    const ended = once(terminal, 'close');
    let text = '';
    terminal.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await until(() => (text.includes('Ctrl+C') ? true : null));
    terminal.stdin.write('\x03');
    expect(await ended).toEqual([0, null]);
    expect(text.replace('^C', '').split('\r\n')).toEqual([
      'Starting the database …',
      `Time Capsule is ready at http://localhost:0. Emails are saved in ${join(data.path, 'outbox')}. Press Ctrl+C to stop.`,
      'Stopping …',
      'Stopped.',
      '',
    ]);
  },
);

rare('a data directory with a long path works: the socket goes elsewhere', async () => {
  const data = await createData(asMyself, 'long-'.repeat(24));
  const server = data.start();
  await server.ready();
  const socketDirectory = (await data.postmaster())?.socketDirectory ?? '';
  onTestFinished(() => rm(socketDirectory, { recursive: true }));
  expect(socketDirectory).toMatch(/\/time-capsule-[0-9a-f]{16}$/);
  server.kill('SIGINT');
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

test('a request under way is answered before the server ends, and meanwhile it says that it stops', async () => {
  const data = await createData();
  const server = data.start();
  const url = await server.ready();
  const client = createClient(url);
  await client.get('/api/limits');
  const login = request(`${url}/auth/login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: await client.jar.getCookieString(url),
      [XSRF_HEADER]: await client.cookie(XSRF_COOKIE),
      // The server says "continue" when it has the request and waits for the body.
      expect: '100-continue',
    },
  });
  login.flushHeaders();
  const answered = once(login, 'response');
  await once(login, 'continue');
  login.write('{"email":"ada@example.org",');

  server.kill('SIGTERM');
  const status = async (path: string) => (await fetch(`${url}${path}`)).status;
  await until(async () => ((await status('/readyz')) === 503 ? true : null));
  expect([await status('/healthz'), await status('/api/limits')]).toEqual([200, 503]);
  login.end('"password":"wrong password"}');
  const [answer] = await answered;
  expect(answer.statusCode).toBe(401);
  answer.resume();
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

rare('a client that asked five times at once and went away does not keep the server', async () => {
  const data = await createData();
  const server = data.start();
  const { hostname, port } = new URL(await server.ready());
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`.repeat(5));
  await delay(3);
  socket.resetAndDestroy();
  server.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

describe('a start that cannot be is one line and exit 1', () => {
  test('a wrong environment value', async () => {
    const data = await createData();
    expect(await refusal(data.start({ PORT: 'http' }))).toBe(
      'PORT is not usable: it must be a whole number from 0 to 65535 (it is "http").',
    );
  });

  rare('a port in use, and the database that was started for it is stopped again', async () => {
    const data = await createData();
    const { port, close } = await occupyPort();
    expect(await refusal(data.start({ PORT: String(port) }))).toBe(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop it, or set PORT to another number.`,
    );
    expect(await data.postmaster()).toBeNull();
    await close();
  });

  test('a data directory that cannot be made', async () => {
    const data = await createData();
    await writeFile(data.path, 'a file, not a folder');
    expect(await refusal(data.start())).toMatch(/^The data directory cannot be used: /);
  });

  rare('a database of another PostgreSQL', async () => {
    const data = await createData();
    const cluster = join(data.path, 'database', 'cluster');
    await mkdir(cluster, { recursive: true });
    await writeFile(join(cluster, 'PG_VERSION'), '17\n');
    expect(await refusal(data.start())).toMatch(
      /was made by PostgreSQL 17.*pg_dump.*and its files away.*psql.*files back/,
    );
    expect(await readFile(join(cluster, 'PG_VERSION'), 'utf8')).toBe('17\n');
  });

  rare('a data directory without its files, until the operator accepts that', async () => {
    const data = await createData();
    const first = data.start();
    await first.ready();
    first.kill('SIGTERM');
    await first.exited;
    const files = join(data.path, 'files');
    await rm(files, { recursive: true });
    expect(await refusal(data.start())).toBe(
      `The files of this database are not in ${files}. Mount or restore them there; servers that share a database need one folder or bucket. If the files are gone for good, run "npm run store:accept".`,
    );
    expect(existsSync(files)).toBe(false);
    const accepted = await acceptStoreOfDatabase({ DATA_DIR: data.path });
    expect(accepted).toEqual({
      ok: true,
      lines: [`The files in ${files} now belong to this database alone.`],
    });
    await data.start().ready();
  });

  rare('with LOG_LEVEL=debug the stack follows the line', async () => {
    const data = await createData();
    const { port, close } = await occupyPort();
    const server = data.start({ PORT: String(port), LOG_LEVEL: 'debug' });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.stderr()).toMatch(/^Port .*\nError: listen EADDRINUSE.*\n {4}at /);
    await close();
  });
});

rare('a database that is away is waited for, and SIGTERM ends the waiting', async () => {
  const data = await createData();
  const server = data.start({ DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/capsules` });
  await until(() =>
    server.messages().includes('The database cannot be reached. Trying again …') ? true : null,
  );
  server.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(server.stderr()).toBe('');
});

async function occupyPort(): Promise<{ port: number; close(): Promise<void> }> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
