import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../server/db/open.ts';
import { SOCKET_NAME } from '../../server/embedded-postgres/index.ts';
import { createDiskStore } from '../../server/files/disk.ts';
import { removeReleased } from '../../server/jobs/remove-files.ts';
import { fsck } from '../../server/operator/fsck.ts';
import { login } from '../../shared/api/auth.ts';
import { DAY_MS, IDEMPOTENCY_HEADER, XSRF_COOKIE, XSRF_HEADER } from '../../shared/limits.ts';
import { capsuleFields } from '../support/capsules.ts';
import {
  answerOf,
  capsuleForm,
  createClient,
  PASSWORD,
  signUp,
  unlessUnavailable,
} from '../support/client.ts';
import { largeVideo } from '../support/fixtures.ts';
import { rare } from '../support/rare.ts';
import { createDataDirectory, type DataDirectory } from '../support/server-process.ts';
import { storedKeys } from '../support/stored-keys.ts';
import { until } from '../support/until.ts';

const opened: DataDirectory[] = [];
afterEach(async () => {
  for (const data of opened.splice(0)) await data.remove();
});

async function createData(): Promise<DataDirectory> {
  const data = await createDataDirectory();
  opened.push(data);
  return data;
}

const inUse = (data: DataDirectory, pid: number) =>
  `The data directory ${data.path} is in use by another Time Capsule server (process ${pid}). Stop that one first, or set DATA_DIR to another directory.\n`;

async function canSignIn(url: string, name: string): Promise<string> {
  const client = createClient(url);
  await client.get('/api/limits');
  const credentials = { email: `${name}@example.org`, password: PASSWORD };
  return answerOf(login, await client.post('/auth/login', credentials)).user.email;
}

rare('after kill -9 the next start takes the database over, with everything in it', async () => {
  const data = await createData();
  const first = data.start();
  await signUp(await first.ready(), 'ada');
  const before = await data.postmaster();
  first.kill('SIGKILL');
  await first.exited;

  const second = data.start();
  expect(await canSignIn(await second.ready(), 'ada')).toBe('ada@example.org');
  expect((await data.postmaster())?.pid).toBe(before?.pid);

  second.kill('SIGTERM');
  expect(await second.exited).toEqual({ code: 0, signal: null });
  expect(await data.postmaster()).toBeNull();
});

test('after kill -9 of server and database alike the next start recovers', async () => {
  const data = await createData();
  const first = data.start();
  const person = await signUp(await first.ready(), 'ada');
  const fields = capsuleFields(person, { dateToUnlock: '2099-01-01' });
  const film = await buffer(largeVideo(3_000_000));
  const before = await data.postmaster();
  const file = { name: 'film.mp4', type: 'video/mp4', bytes: film };
  const { status } = await person.createCapsule(fields, [file]);
  // At once: what is acknowledged is on the disk.
  first.kill('SIGKILL');
  if (before) process.kill(before.pid, 'SIGKILL');
  expect(status).toBe(201);
  await first.exited;

  const second = data.start();
  expect(await canSignIn(await second.ready(), 'ada')).toBe('ada@example.org');
  const { ok, lines } = await fsck({ DATA_DIR: data.path });
  expect([ok, ...lines]).toEqual([
    true,
    '1 file checked, 3 MB read and hashed: 0 missing or damaged.',
  ]);
});

rare(
  'after a power cut it starts by itself, whoever has the number of its old process by now',
  async () => {
    const data = await createData();
    const first = data.start();
    await signUp(await first.ready(), 'ada');
    const before = await data.postmaster();
    first.kill('SIGKILL');
    if (before) process.kill(before.pid, 'SIGKILL');
    await first.exited;
    const path = join(data.path, 'database', 'cluster', 'postmaster.pid');
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, [process.pid, ...lines.slice(1)].join('\n'));

    const second = data.start();
    expect(await canSignIn(await second.ready(), 'ada')).toBe('ada@example.org');
  },
);

rare(
  'a capsule whose upload died with the server is taken at once when it comes again',
  async () => {
    const data = await createData();
    const first = data.start();
    const url = await first.ready();
    const person = await signUp(url, 'ada');
    const headers = { [IDEMPOTENCY_HEADER]: randomUUID() };
    const fields = capsuleFields(person, { dateToUnlock: '2099-01-01' });
    const file = { name: 'film.mp4', type: 'video/mp4', bytes: await buffer(largeVideo(600_000)) };
    const form = new Response(capsuleForm(fields, [file]));
    const body = Buffer.from(await form.arrayBuffer());
    const sent = request(`${url}/api/capsules`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': String(form.headers.get('content-type')),
        'content-length': body.length,
        cookie: await person.jar.getCookieString(url),
        [XSRF_HEADER]: String(await person.cookie(XSRF_COOKIE)),
      },
    });
    sent.on('error', () => {});
    sent.write(body.subarray(0, body.length - 100));
    const keys = () => storedKeys({ dataDir: data.path });
    await until(async () => ((await keys()).length > 0 ? true : null));
    expect((await person.createCapsule(fields, [file], headers)).status).toBe(409);
    first.kill('SIGKILL');
    await first.exited;

    const second = data.start();
    const again = createClient(await second.ready(), person.jar);
    expect((await again.createCapsule(fields, [file], headers)).status).toBe(201);
    expect(await keys()).toHaveLength(2);

    // A day later what the first one had received is gone, and what was taken is there.
    const { socketDirectory = '' } = (await data.postmaster()) ?? {};
    const log = pino({ level: 'silent' });
    const address = { socketPath: join(socketDirectory, SOCKET_NAME) };
    const { db, close } = await openDatabase({ address, log });
    onTestFinished(close);
    const files = createDiskStore(join(data.path, 'files'));
    const clock = { now: () => new Date(Date.now() + 2 * DAY_MS) };
    await removeReleased({ db, files, clock, log }, new AbortController().signal);
    expect(await keys()).toHaveLength(1);
    expect(await fsck({ DATA_DIR: data.path })).toMatchObject({ ok: true });
  },
);

test('a second process is refused with one line that names the first, which goes on', async () => {
  const data = await createData();
  const first = data.start();
  const url = await first.ready();

  const second = data.start();
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.stderr()).toBe(inUse(data, first.pid));
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

rare('of two first starts at once exactly one wins', async () => {
  const data = await createData();
  const servers = [data.start(), data.start()];
  const ends = await Promise.race(
    servers.map(async (server, index) => ({ index, exit: await server.exited })),
  );
  expect(ends.exit).toEqual({ code: 1, signal: null });
  const [loser, winner] = ends.index === 0 ? servers : servers.toReversed();
  expect(loser?.stderr()).toBe(inUse(data, winner?.pid ?? 0));
  const url = await winner?.ready();
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

rare('a database that is killed comes back by itself, and stays locked to its server', async () => {
  const data = await createData();
  const server = data.start();
  const url = await server.ready();
  await signUp(url, 'ada');
  const before = await data.postmaster();
  if (before) process.kill(before.pid, 'SIGKILL');

  await until(() => (server.messages().includes('The database is running again.') ? true : null));
  // The first calls may meet connections of before. They fail with 503, which says to try again.
  const again = () => canSignIn(url, 'ada').catch(unlessUnavailable);
  expect(await until(again)).toBe('ada@example.org');
  const second = data.start();
  await second.exited;
  expect(second.stderr()).toBe(inUse(data, server.pid));
});
