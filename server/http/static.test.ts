import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compress } from '../../scripts/build/compress.mjs';
import type { AppEnv } from './context.ts';
import { createStaticFiles } from './static.ts';

const SCRIPT = 'export const a = 1;\n'.repeat(100);

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'static-'));
  await mkdir(join(directory, 'static'));
  await writeFile(join(directory, 'static', 'app.js'), SCRIPT);
  await writeFile(join(directory, 'static', 'tiny.js'), '1');
  await writeFile(join(directory, 'static', 'picture.png'), SCRIPT);
  compress(directory);
});
afterEach(() => rm(directory, { recursive: true }));

async function ask(path: string, acceptEncoding = 'identity', siteName?: string) {
  const files = createStaticFiles(directory, siteName);
  const app = new Hono<AppEnv>();
  app.get('*', (c) => files.serve(c, c.req.path) ?? c.notFound());
  const headers = { 'Accept-Encoding': acceptEncoding };
  const answer = await app.request(path, { headers });
  const body = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, encoding: answer.headers.get('content-encoding'), body, answer };
}

test('the build compresses, and the answer is the form that the browser accepts', async () => {
  const brotli = await ask('/static/app.js', 'gzip, deflate, br, zstd');
  expect(brotli.encoding).toBe('br');
  expect(brotliDecompressSync(brotli.body).toString()).toBe(SCRIPT);
  expect(brotli.answer.headers.get('vary')).toBe('Accept-Encoding');
  const gzip = await ask('/static/app.js', 'gzip, deflate');
  expect(gzip.encoding).toBe('gzip');
  expect(gunzipSync(gzip.body).toString()).toBe(SCRIPT);
  const plain = await ask('/static/app.js');
  expect(plain.encoding).toBeNull();
  expect(plain.body.toString()).toBe(SCRIPT);
});

test.each([
  ['br;q=0', null],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000, gzip;q=0', null],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip;q=0.5, br;q=0.5', 'br'],
  ['BR', 'br'],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *', 'gzip'],
  ['identity, br;q=0.1', null],
  ['x-br, gzip-2', null],
  ['', null],
])('Accept-Encoding: %s gets %s', async (accepted, encoding) => {
  expect((await ask('/static/app.js', accepted)).encoding).toBe(encoding);
});

test('what compression does not make smaller is sent as it is', async () => {
  for (const path of ['/static/tiny.js', '/static/picture.png']) {
    const { status, encoding, answer } = await ask(path, 'br, gzip');
    expect([status, encoding, answer.headers.get('vary')]).toEqual([200, null, null]);
  }
});

test('the compressed forms are no files of their own', async () => {
  expect((await ask('/static/app.js.br')).status).toBe(404);
});

test('pages and manifest have the name of the site, and nothing else changes', async () => {
  const page = '<head><title>Time Capsule</title></head><body>Time Capsule opens</body>'.repeat(9);
  await writeFile(join(directory, 'index.html'), page);
  const manifest = { name: 'Time Capsule', short_name: 'Capsule', start_url: '/dashboard' };
  await writeFile(join(directory, 'manifest.webmanifest'), JSON.stringify(manifest));
  compress(directory);
  const plain = await ask('/index.html', 'br');
  expect(brotliDecompressSync(plain.body).toString()).toBe(page);
  const named = await ask('/index.html', 'br', 'A & "B"');
  const text = brotliDecompressSync(named.body).toString();
  expect(text).toContain('<title>A &amp; &quot;B&quot;</title>');
  expect(text).toContain('<meta name="application-name" content="A &amp; &quot;B&quot;" />');
  expect(text).not.toContain('Time Capsule');
  expect(named.answer.headers.get('etag')).not.toBe(plain.answer.headers.get('etag'));
  const app = JSON.parse(
    (await ask('/manifest.webmanifest', 'identity', 'Opa Karl')).body.toString(),
  );
  expect(app).toEqual({ name: 'Opa Karl', short_name: 'Opa Karl', start_url: '/dashboard' });
  expect(brotliDecompressSync((await ask('/static/app.js', 'br', 'X')).body).toString()).toBe(
    SCRIPT,
  );
});
