import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import {
  afterEach,
  beforeEach,
  describe,
  expect,
  type Mock,
  type MockInstance,
  test,
  vi,
} from 'vitest';
import { AppError } from '../app-error.ts';
import { createDiskStore } from '../files/disk.ts';
import type { ByteRange, FileStore } from '../files/file-store.ts';
import type { AppEnv } from './context.ts';
import { createStoredFiles, type SentFile, type StoredFiles } from './send-file.ts';

const content = randomBytes(3_000_000);
const sha256 = createHash('sha256').update(content).digest('hex');
const etag = `"${sha256}"`;

let root: string;
let store: FileStore;
let server: Server;
let port: number;
let opened: Readable[];
let file: SentFile;
let storedFiles: StoredFiles;
let log: { error: Mock };
let breakOff: boolean;
let printed: MockInstance;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'send-file-'));
  store = createDiskStore(root);
  await store.write('one', Readable.from([content]));
  opened = [];
  breakOff = false;
  printed = vi.spyOn(console, 'error');
  const read = async (key: string, range?: ByteRange) => {
    const found = await store.read(key, range);
    if (found && breakOff)
      found.stream.once('data', () => found.stream.destroy(new Error('aborted')));
    if (found) opened.push(found.stream);
    return found;
  };
  file = {
    storageKey: 'one',
    bytes: content.length,
    sha256,
    name: 'фото.jpg',
    type: 'image/jpeg',
    disposition: 'attachment',
    cacheControl: 'private, no-store',
  };
  const app = new Hono<AppEnv>();
  log = { error: vi.fn() };
  storedFiles = createStoredFiles({ files: { read, size: store.size }, log });
  app.get('/', (c) => storedFiles.send(c, file));
  app.onError((error, c) => c.text(error instanceof AppError ? error.code : 'INTERNAL', 500));
  server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await vi.waitFor(() => expect(opened.every((stream) => stream.closed)).toBe(true));
  await rm(root, { recursive: true, force: true });
  // Failures are told in the log, and nowhere else.
  expect(printed).not.toHaveBeenCalled();
});

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`http://127.0.0.1:${port}/`, { method, headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test('the whole file, as something to save and never to run', async () => {
  const response = await get();
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-disposition': `attachment; filename="____.jpg"; filename*=UTF-8''%D1%84%D0%BE%D1%82%D0%BE.jpg`,
    'content-length': '3000000',
    'content-security-policy': "sandbox; default-src 'none'",
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    etag,
  });
  expect((await bytesOf(response)).equals(content)).toBe(true);
});

test.each([
  ['evil.html', 'image/png', 'evil.html.png'],
  ['x.lnk', 'image/png', 'x.lnk.png'],
  ['photo.jpg.exe. .', 'image/jpeg', 'photo.jpg.exe. ..jpg'],
  ['gpj.\u202Eexe', 'image/jpeg', 'gpj.exe.jpg'],
  ['photo.jpg\u202E', 'image/jpeg', 'photo.jpg.jpg'],
  ['evil\u2024exe', 'image/gif', 'evil\u2024exe.gif'],
  [`${'x'.repeat(300)}.html`, 'application/pdf', `${'x'.repeat(251)}.pdf`],
  ['drawing.svg', 'image/svg+xml', 'drawing.svg.txt'],
  ['scan.pdf', 'application/pdf', 'scan.pdf'],
  ['old.MOD', 'video/MP2P', 'old.MOD'],
])('%j of the type %s is saved as %j', async (name, type, saved) => {
  Object.assign(file, { name, type });
  const response = await get();
  await response.body?.cancel();
  const [, exact] =
    /filename\*=UTF-8''(\S+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  expect(decodeURIComponent(exact ?? '')).toBe(saved);
});

describe('ranges', () => {
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=1048570-1048585', 1_048_570, 1_048_585],
    ['bytes=2999990-', 2_999_990, 2_999_999],
    ['bytes=-5', 2_999_995, 2_999_999],
    ['bytes=2999999-99999999', 2_999_999, 2_999_999],
  ])('%s', async (range, start, end) => {
    const response = await get({ Range: range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/3000000`);
    expect(response.headers.get('content-length')).toBe(String(end - start + 1));
    expect((await bytesOf(response)).equals(content.subarray(start, end + 1))).toBe(true);
  });

  test.each(['bytes=0-1,5-6', 'bytes=x', 'bytes=9-1'])('%s is answered whole', async (range) => {
    const response = await get({ Range: range });
    expect(response.status).toBe(200);
    expect((await bytesOf(response)).equals(content)).toBe(true);
  });

  test('one outside the file is refused with its size', async () => {
    const response = await get({ Range: 'bytes=3000000-' });
    expect(await response.text()).toBe('RANGE_NOT_SATISFIABLE');
    expect(response.headers.get('content-range')).toBe('bytes */3000000');
  });

  test('If-Range: a part only while the bytes are the same', async () => {
    const range = { Range: 'bytes=0-9' };
    expect((await get({ ...range, 'If-Range': etag })).status).toBe(206);
    const others = ['"other"', `W/${etag}`, 'Fri, 20 Nov 2026 20:00:00 GMT'];
    for (const other of others) {
      const response = await get({ ...range, 'If-Range': other });
      expect([response.status, (await bytesOf(response)).length]).toEqual([200, 3_000_000]);
    }
  });
});

test('If-None-Match: nothing is opened for bytes the client has', async () => {
  for (const tags of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
    const response = await get({ 'If-None-Match': tags, 'Cache-Control': 'no-cache' });
    expect(response.status).toBe(304);
    expect(response.headers.get('etag')).toBe(etag);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  }
  expect(opened).toEqual([]);
  expect((await bytesOf(await get({ 'If-None-Match': '"a"' }))).length).toBe(3_000_000);
});

test('HEAD tells the same and opens nothing', async () => {
  const whole = await get({}, 'HEAD');
  expect([whole.status, whole.headers.get('content-length')]).toEqual([200, '3000000']);
  const part = await get({ Range: 'bytes=0-9' }, 'HEAD');
  expect([part.status, part.headers.get('content-length')]).toEqual([206, '10']);
  expect(opened).toEqual([]);
});

test('an empty file', async () => {
  const stored = await store.write('empty', Readable.from([]));
  file = { ...file, storageKey: 'empty', ...stored };
  const response = await get();
  expect([response.status, await response.text()]).toEqual([200, '']);
});

describe('a damaged file', () => {
  async function damage() {
    const changed = Buffer.from(content);
    changed.write('rot!', 1_500_000);
    await store.write('one', Readable.from([changed]));
  }

  test('is never served whole, and told to the operator', async () => {
    await damage();
    for (const range of [undefined, 'bytes=0-']) {
      const response = await get(range === undefined ? {} : { Range: range });
      await expect(response.arrayBuffer()).rejects.toThrow();
    }
    expect(log.error).toHaveBeenCalledOnce();
    expect(log.error.mock.calls[0]?.[0]).toEqual({ storageKey: 'one' });
  });

  test('is named as damaged by HEAD once it was found, until it is whole again', async () => {
    await damage();
    expect((await get({}, 'HEAD')).status).toBe(200);
    await expect((await get()).arrayBuffer()).rejects.toThrow();
    expect((await get({}, 'HEAD')).status).toBe(500);
    await store.write('one', Readable.from([content]));
    expect((await bytesOf(await get())).equals(content)).toBe(true);
    expect((await get({}, 'HEAD')).status).toBe(200);
  });

  test('still gives its parts: a film plays up to there', async () => {
    await damage();
    const response = await get({ Range: 'bytes=0-999999' });
    expect((await bytesOf(response)).equals(content.subarray(0, 1_000_000))).toBe(true);
  });

  test.each(['GET', 'HEAD'])('that is missing or has another size: %s', async (method) => {
    for (const other of [{ storageKey: 'gone' }, { storageKey: 'one', bytes: 2 }]) {
      file = { ...file, ...other };
      const response = await get({}, method);
      expect(response.status).toBe(500);
      if (method === 'GET') expect(await response.text()).toBe('FILE_DAMAGED');
    }
    expect(log.error.mock.calls.map(([{ storageKey }]) => storageKey)).toEqual(['gone', 'one']);
  });
});

test.each([undefined, 'bytes=1-'])(
  'a store that breaks off breaks the answer off, and one line says so: range %s',
  async (range) => {
    breakOff = true;
    const response = await get(range === undefined ? {} : { Range: range });
    await expect(response.arrayBuffer()).rejects.toThrow();
    const [fields, message] = log.error.mock.lastCall ?? [];
    expect(message).toBe('A download broke off, because its file could not be read to the end.');
    expect(fields).toMatchObject({ storageKey: 'one', err: new Error('aborted') });
    expect(log.error).toHaveBeenCalledOnce();
  },
);

test('a client that goes away midway leaves no file open', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
  await vi.waitFor(() => expect(opened[0]?.closed).toBe(true));
  expect(log.error).not.toHaveBeenCalled();
});
