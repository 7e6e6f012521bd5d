import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { users } from '../../server/db/schema.ts';
import { XSRF_COOKIE, XSRF_HEADER } from '../../shared/limits.ts';
import { allSent } from '../support/addresses.ts';
import { createClient, signUp, type TestClient } from '../support/client.ts';
import { firstOf, rare } from '../support/rare.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let visitor: TestClient;
let sockets: Socket[];

beforeEach(async () => {
  server = await startTestServer({ realPasswords: true, config: { rateLimits: true } });
  visitor = createClient(server.url);
  await visitor.get('/api/limits');
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

/** Sends the beginning of a request and nothing more. @returns what the server answers meanwhile */
function begin(text: string): { answer: () => string; socket: Socket } {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  socket.on('error', () => {});
  socket.write(text);
  return { answer: () => answer, socket };
}

/** The head of a sign-in. */
async function login(length: number): Promise<string> {
  const token = await visitor.cookie(XSRF_COOKIE);
  return [
    'POST /auth/login HTTP/1.1',
    'Host: localhost',
    `Cookie: visitor=${await visitor.cookie('visitor')}; ${XSRF_COOKIE}=${token}`,
    `${XSRF_HEADER}: ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '',
    '',
  ].join('\r\n');
}

it('counts bodies that cannot be read, and says when to come back', async () => {
  const post = () => visitor.post('/auth/login', { email: ['a'] });
  const statuses: number[] = [];
  for (let count = 0; count < 120; count += 1) statuses.push((await post()).status);
  expect(new Set(statuses)).toEqual(new Set([400]));
  const refused = await post();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

it('leaves lines in the log of refusals, but not of however many in a minute, which hide no others', async () => {
  const logged = vi.spyOn(server.deps.log, 'info');
  const linesOf = (code: string) =>
    logged.mock.calls
      .map(([fields]) => fields as object)
      .filter((of) => 'code' in of && of.code === code);
  for (let count = 0; count < 125; count += 1) {
    const answer = await visitor.post('/auth/login', {}, { origin: 'https://evil.example' });
    expect(answer.status).toBe(403);
    expect((await visitor.get('/auth/oidc/callback')).status).toBe(302);
  }
  expect(linesOf('CROSS_SITE')).toHaveLength(60);
  expect(linesOf('RATE_LIMITED')).toHaveLength(60);
  expect(linesOf('CROSS_SITE').filter((of) => 'more' in of && of.more)).toHaveLength(1);
  await visitor.post('/auth/login', { email: 'ada@example.org', password: 'wrong' });
  expect(linesOf('INVALID_CREDENTIALS')).toHaveLength(1);
});

it('refuses a form that is too long before it is read, and one that is nested too deeply', async () => {
  const long = begin(await login(990_000));
  await until(() => (long.answer().includes('HTTP/1.1 400') ? true : null));
  expect(long.answer()).toContain('VALIDATION_FAILED');

  const deep = `${'['.repeat(8_000)}${']'.repeat(8_000)}`;
  const answer = await visitor.request('POST', '/auth/login', {
    body: deep,
    headers: { 'content-type': 'application/json' },
  });
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('MALFORMED_BODY')]);
});

it('holds so many half-sent forms of one client, and refuses the next with a time', async () => {
  const half = `${await login(10_000)}{"email":`;
  for (let count = 0; count < 40; count += 1) begin(half);
  const isRefused = () => {
    const { answer } = begin(half);
    return until(() => (answer() === '' ? null : answer()), { seconds: 1 }).catch(() => null);
  };
  const refusal = await until(isRefused);
  expect(refusal).toContain('HTTP/1.1 503');
  expect(refusal.toLowerCase()).toContain('retry-after: 5');
});

async function signInsAtOnce(emailOf: (index: number) => string): Promise<void> {
  const open = await startTestServer({
    realPasswords: true,
    config: { rateLimits: true, trustedProxies: 1 },
  });
  onTestFinished(open.close);
  const { user, password } = await signUp(open.url, 'Honest');
  const client = createClient(open.url);
  await client.get('/api/limits');
  const signIn = (email: string, password: string, from: string) =>
    client.post('/auth/login', { email, password }, { 'x-forwarded-for': from });
  const attack = Array.from({ length: 210 }, (_, index) =>
    signIn(emailOf(index), 'guess', `198.51.100.${index}`),
  );
  const honest = await signIn(user.email, password, '203.0.113.9');
  expect(honest.status).toBe(200);
  const statuses = new Set((await Promise.all(attack)).map(({ status }) => status));
  expect([...statuses].filter((status) => status !== 401 && status !== 503)).toEqual([]);
}

rare('210 sign-ins at once from as many addresses to as many accounts keep nobody else out', () =>
  signInsAtOnce((index) => `person-${index}@example.org`),
);

rare('210 sign-ins at once from as many addresses to one account keep nobody else out', () =>
  signInsAtOnce(() => 'target@example.org'),
);

rare('185 registrations with plus addresses of one mailbox cause few emails', async () => {
  const open = await startTestServer({
    config: { rateLimits: true, trustedProxies: 1, emailVerification: true },
  });
  onTestFinished(open.close);
  const client = createClient(open.url);
  await client.get('/api/limits');
  for (let index = 0; index < 185; index += 1) {
    const person = { name: 'Mallory', email: `ada+${index}@example.com`, password: 'long enough' };
    const from = { 'x-forwarded-for': `198.51.100.${index % 20}` };
    expect((await client.post('/auth/register', person, from)).status).toBe(201);
  }
  await allSent(open);
  expect(open.mailer.sent).toHaveLength(8);
});

const FEW_EMAILS: [string, string, string[]][] = [
  ['accounts that are deleted', 'account-deleted', []],
  // Each guesser has signed in on another device than the one that registered.
  ['wrong passwords', 'password-guessed', ['new-device']],
];
it.each(firstOf(FEW_EMAILS))(
  '19 times %s cause few emails to an address that nobody has confirmed',
  async (_what, kind, others) => {
    const open = await startTestServer({ config: { rateLimits: true, trustedProxies: 1 } });
    onTestFinished(open.close);
    for (let index = 0; index < 19; index += 1) {
      const client = createClient(open.url);
      await client.get('/api/limits');
      const from = { 'x-forwarded-for': `198.51.100.${index}` };
      const ask = (path: string, body: object) => client.post(path, body, from);
      const account = { email: 'stranger@example.com', password: 'long enough' };
      await ask('/auth/register', { ...account, name: 'Mallory' });
      expect((await ask('/auth/login', account)).status).toBe(200);
      if (kind === 'account-deleted') {
        const deletion = { password: account.password, capsules: 'destroy' };
        expect((await ask('/user/delete-account', deletion)).status).toBe(200);
      } else {
        const [user] = await open.deps.db.select().from(users);
        const deletion = { password: 'a guess', capsules: 'destroy' };
        for (let guess = 0; guess < 10; guess += 1) await ask('/user/delete-account', deletion);
        // As if it was done more slowly.
        await open.deps.limits.giveBack('signIn', String(user?.id), 'all');
      }
      // A deletion takes along what still waits for the same address.
      await allSent(open);
    }
    expect(new Set(open.mailer.sent.map((mail) => mail.kind))).toEqual(new Set([kind, ...others]));
    // The plain address of a mailbox gets one an hour beyond the eight.
    expect(open.mailer.sent).toHaveLength(9);
  },
);

it('keeps no connection for a body that nobody asked for', async () => {
  for (const path of ['/healthz', '/api/limits', '/user/me', '/nothing', '/static/none.js']) {
    const { answer } = begin(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\na`,
    );
    await until(() => (answer() === '' ? null : true));
    expect(answer()).toMatch(/^HTTP\/1\.1 \d{3} [\s\S]*connection: close/i);
  }
  // A body that has arrived doesn't cost the connection.
  const whole = begin('GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}');
  await until(() => (whole.answer() === '' ? null : true));
  expect(whole.answer()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: keep-alive/i);
});

it('answers the health check of a proxy that speaks HTTP/1.0 and names no host', async () => {
  const { answer } = begin('GET /healthz HTTP/1.0\r\n\r\n');
  await until(() => (answer() === '' ? null : true));
  expect(answer()).toMatch(/^HTTP\/1\.1 200 /);
  const newer = begin('GET /healthz HTTP/1.1\r\n\r\n');
  await until(() => (newer.answer() === '' ? null : true));
  expect(newer.answer()).toMatch(/^HTTP\/1\.1 400 /);
});
