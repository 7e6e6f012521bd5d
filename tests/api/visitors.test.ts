import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createStaticFiles } from '../../server/http/static.ts';
import type { Endpoint } from '../../shared/api/endpoint.ts';
import { ENDPOINTS } from '../../shared/api/index.ts';
import { processorMsOf } from '../support/processor-time.ts';
import { firstOf } from '../support/rare.ts';
import { sharedServer } from '../support/server.ts';

/** A hundred guests at one address may open the app, which is 35 files, in the same minute. */
const A_MINUTE = 6_000;

/** As the build makes them, one of each kind. */
const FILES = {
  ...{ '/index.html': 4_000, '/landing.html': 20_000, '/sw.js': 40_000, '/robots.txt': 30 },
  ...{ '/icon.svg': 1_000, '/icon-512.png': 20_000, '/static/app.js': 300_000 },
  ...{ '/static/font.woff2': 100_000, '/static/app.css': 60_000 },
};

const directory = mkdtempSync(join(tmpdir(), 'time-capsule-client-'));
afterAll(() => rmSync(directory, { recursive: true }));
mkdirSync(join(directory, 'static'));
for (const [path, bytes] of Object.entries(FILES))
  writeFileSync(join(directory, path), 'x'.repeat(bytes));
writeFileSync(join(directory, 'manifest.webmanifest'), '{}');

const server = sharedServer({
  staticFiles: createStaticFiles(directory),
  config: { rateLimits: true, trustedProxies: 1, metricsToken: 'a-token-of-thirty-two-characters' },
});
let addresses = 0;

/** Somebody at an address of their own. @returns asks, and reads the answer: a test's client costs more than the server */
function visitor() {
  addresses += 1;
  const from = { 'x-forwarded-for': `203.0.113.${addresses % 256}` };
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return async (path: string, more = {}) => {
    const asked = get(new URL(path, server.url), { agent, headers: { ...from, ...more } });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
  };
}

/** All that needs no sign-in: the calls, and every page and file outside of them. */
const CALLS = (Object.values(ENDPOINTS) as Endpoint[])
  .filter(({ method, access }) => method === 'GET' && access === 'anyone')
  .map(({ path }) => path.replace(/:\w+/g, randomUUID()));
const ANSWERED = [
  ...['/', '/auth', '/dashboard', '/create', '/add', '/profile/x', '/help', '/notices/off'],
  ...['/nothing', '/static/nothing.js', '/api/nothing', '/.well-known/change-password'],
  ...[`/uploads/avatars/${randomUUID()}`, '/uploads/avatars/x', '/manifest.webmanifest'],
  ...['/healthz', '/readyz', '/metrics', '/webhooks/resend', '/auth/login'],
];
describe('costs next to nothing, however often a visitor asks for it:', () => {
  it.each(firstOf(['/api/openapi.json', ...CALLS, ...ANSWERED, ...Object.keys(FILES)]))(
    '%s',
    async (path) => {
      const ask = visitor();
      const fifty = async () => {
        for (let count = 0; count < 50; count += 1) await ask(path);
      };
      // Again where the machine was busy with something else.
      await expect.poll(async () => (await processorMsOf(fifty, 1)) / 50).toBeLessThan(5);
    },
  );
});

it('counts for whoever asks, and is refused with a time when it is too much', async () => {
  const ask = visitor();
  const path = '/api/limits';
  for (let count = 0; count < A_MINUTE - 2; count += 1) {
    await server.deps.limits.take('visit', `203.0.113.${addresses}`);
  }
  expect((await ask(path)).status).toBe(200);
  expect((await ask('/healthz')).status).toBe(200);
  for (const each of [path, ...ANSWERED]) {
    const refused = await ask(each);
    expect([each, refused.status]).toEqual([each, 429]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  }
  // So does a call of signed-in people, by whoever isn't. Others count at their own addresses.
  expect((await ask('/user/me')).status).toBe(429);
  expect((await visitor()('/user/me')).status).toBe(401);
  expect((await visitor()(path)).status).toBe(200);
});

it('describes its calls once, by a tag that says whether anything is new', async () => {
  const ask = visitor();
  const first = await ask('/api/openapi.json');
  expect(JSON.parse(first.bytes.toString())).toMatchObject({ openapi: '3.1.0' });
  const again = await ask('/api/openapi.json', {
    'if-none-match': first.headers.etag,
  });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
});
