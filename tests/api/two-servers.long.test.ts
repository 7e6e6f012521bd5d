import { expect, it, onTestFinished } from 'vitest';
import { rateLimits } from '../../server/db/schema.ts';
import { addPasskeyTo, optionsFor } from '../support/authenticator.ts';
import { createClient, PASSWORD, signUp } from '../support/client.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';

const LIMITED = {
  rateLimits: true,
  trustedProxies: 1,
  // That it is set says that several servers may share the database; the tests have opened it.
  databaseUrl: 'postgres://shared.example/capsules',
};

/** Two servers on one database. */
async function startTwo() {
  const start = async (options: TestServerOptions) => {
    const server = await startTestServer({ realPasswords: true, config: LIMITED, ...options });
    onTestFinished(server.close);
    return server;
  };
  const first = await start({});
  return { first, second: await start({ deps: { db: first.deps.db } }) };
}

/** Signs in by one server and then the other, each time as a browser that nobody has signed in with. */
function signInByTurns(servers: TestServer[], email: string) {
  let turn = 0;
  return async (password: string, from: string) => {
    const client = createClient(String(servers[turn++ % servers.length]?.url));
    const headers = { 'x-forwarded-for': from };
    await client.get('/api/limits');
    return (await client.post('/auth/login', { email, password }, headers)).status;
  };
}

it('two servers count bad sign-ins together, and forget them after a good one', async () => {
  const { first, second } = await startTwo();
  const { user } = await signUp(first.url, 'Target');
  const attempt = signInByTurns([first, second], user.email);
  const attempts = async (count: number, from: string) => {
    const statuses = [];
    for (let index = 0; index < count; index += 1) statuses.push(await attempt('wrong', from));
    return new Set(statuses);
  };

  expect(await attempts(9, '203.0.113.9')).toEqual(new Set([401]));
  expect(await attempt(PASSWORD, '203.0.113.9')).toBe(200);
  expect(await attempts(10, '203.0.113.9')).toEqual(new Set([401]));
  expect(await attempt(PASSWORD, '203.0.113.9')).toBe(429);
  expect(await attempt(PASSWORD, '203.0.113.9')).toBe(429);
  expect(await attempt(PASSWORD, '198.51.100.7')).toBe(200);
});

it('on two servers, guesses at one account go at the pace of one, and hold up nobody who has not guessed', async () => {
  const { first, second } = await startTwo();
  const { user } = await signUp(first.url, 'Target');
  const attempt = signInByTurns([first, second], user.email);
  // Each tries twice: the first ones are free, as are twenty of all others.
  const guess = (_: unknown, index: number) => attempt('wrong', `198.51.100.${index % 12}`);
  const statuses = await Promise.all(Array.from({ length: 24 }, guess));
  expect(new Set(statuses)).toEqual(new Set([401]));
  const more = Promise.all(Array.from({ length: 12 }, guess));
  expect(await attempt(PASSWORD, '203.0.113.1')).toBe(200);
  // 36, of which 12 were first ones and 20 free. The other four come three seconds apart, on both
  // servers together, and who would wait for more than eight seconds is told to come again.
  const answered = await more;
  expect(new Set(answered)).toEqual(new Set([401, 503]));
  expect(answered.filter((status) => status === 401).length).toBeLessThan(12);
}, 60_000);

it('the counts name neither an account nor an address', async () => {
  const { first } = await startTwo();
  const client = createClient(first.url);
  await client.get('/api/limits');
  const json = { email: 'ada@example.org', password: 'wrong' };
  await client.post('/auth/login', json, { 'x-forwarded-for': '203.0.113.9' });
  const rows = await first.deps.db.select().from(rateLimits);
  const counted = rows.map(({ key }) => key.split(':')[0]).sort();
  expect(counted).toEqual(['signIn', 'signInByClient', 'signInFirst', 'signInTried']);
  expect(JSON.stringify(rows)).not.toMatch(/ada|203/);
});

it('a server with JOBS=off leaves the emails to another one', async () => {
  const config = { ...LIMITED, jobs: false, emailVerification: true };
  const quiet = await startTestServer({ realPasswords: true, config });
  onTestFinished(quiet.close);
  const client = createClient(quiet.url);
  await client.get('/api/limits');
  const person = { name: 'Ada', email: 'ada@example.org', password: PASSWORD };
  await client.post('/auth/register', person);
  const working = await startTestServer({
    realPasswords: true,
    config: LIMITED,
    deps: { db: quiet.deps.db },
  });
  onTestFinished(working.close);
  await working.mailedLink(person.email, '/auth/verify-email');
  expect(quiet.mailer.sent).toEqual([]);
});

it("a passkey's challenge of one server is answered at the other, and once on both", async () => {
  const { first } = await startTwo();
  const second = await startTestServer({
    config: { ...LIMITED, appUrl: first.url },
    deps: { db: first.deps.db },
  });
  onTestFinished(second.close);
  const { authenticator } = await addPasskeyTo(await signUp(first.url, 'Passkey Two'));
  const browser = createClient(first.url);
  await browser.get('/api/limits');
  const there = createClient(second.url, browser.jar);
  const assertion = authenticator.get(await optionsFor(browser));
  const answers = await Promise.all(
    [browser, there, browser, there].map((client) => client.post('/auth/passkey', assertion)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  const other = authenticator.get(await optionsFor(browser));
  expect((await there.post('/auth/passkey', other)).status).toBe(200);
});
