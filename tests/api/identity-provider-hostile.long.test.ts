import { describe, expect, it, onTestFinished } from 'vitest';
import { identities, users } from '../../server/db/schema.ts';
import { askProvider } from '../../shared/api/identities.ts';
import { codeOf, newAddress, visit } from '../support/addresses.ts';
import { answerOf, signUp, type TestClient } from '../support/client.ts';
import { locationOf, loginAt, startIdentityProvider } from '../support/identity-provider.ts';
import { type Lies, startLyingProvider } from '../support/lying-provider.ts';
import { sharedServer, startTestServer } from '../support/server.ts';

const server = sharedServer();

/** A real provider, to which the server is pointed. */
async function withProvider() {
  const provider = await startIdentityProvider(server.url);
  onTestFinished(provider.close);
  const use = () => {
    server.deps.config.identityProvider = { ...provider.settings };
  };
  use();
  const person = provider.put({ email: newAddress(), email_verified: true });
  return { provider, person, use };
}

async function begin(client: TestClient): Promise<string> {
  return answerOf(askProvider, await client.post('/auth/oidc', {})).url;
}

/** Brings back what the provider has sent. */
async function bring(client: TestClient, back: URL | string): Promise<string> {
  const { pathname, search } = new URL(back, server.url);
  return locationOf(await client.get(pathname + search));
}

const WELCOME = '/auth/welcome';
const EXPIRED = '/auth?provider=PROVIDER_EXPIRED';
const REFUSED = '/auth?provider=PROVIDER_REFUSED';
const AWAY = '/auth?provider=PROVIDER_AWAY';

describe('what the provider sends back', () => {
  it('counts once, whoever repeats it', async () => {
    const { person } = await withProvider();
    const client = await visit(server.url);
    const back = await loginAt(await begin(client), person);
    const cookie = await client.cookie('oidc');
    const answers = await Promise.all(Array.from({ length: 10 }, () => bring(client, back)));
    expect(answers.filter((page) => page === WELCOME)).toHaveLength(1);
    expect(new Set(answers)).toEqual(new Set([WELCOME, EXPIRED]));
    await client.post('/auth/logout');
    await client.jar.setCookie(`oidc=${cookie}`, server.url);
    expect(await bring(client, back)).toBe(EXPIRED);
  });

  it('signs in no other browser, with or without the cookie', async () => {
    const { person } = await withProvider();
    const client = await visit(server.url);
    const thief = await visit(server.url);
    const back = await loginAt(await begin(client), person);
    expect(await bring(thief, back)).toBe(EXPIRED);
    await thief.jar.setCookie(`oidc=${await client.cookie('oidc')}`, server.url);
    expect(await bring(thief, back)).toBe(EXPIRED);
    expect((await thief.get('/user/me')).status).toBe(401);
    // Nor does it take it from the right one.
    expect(await bring(client, back)).toBe(WELCOME);
  });

  it('fits the journey of its own alone', async () => {
    const { person } = await withProvider();
    const [one, other] = [await visit(server.url), await visit(server.url)];
    const first = await loginAt(await begin(one), person);
    const second = await loginAt(await begin(other), person);
    const mixed = new URL(first);
    mixed.searchParams.set('state', String(second.searchParams.get('state')));
    expect(await bring(other, mixed)).toBe(REFUSED);
    expect(await bring(one, '/auth/oidc/callback')).toBe(EXPIRED);
  });

  it('counts for ten minutes, with the cookie as we signed it', async () => {
    const { person } = await withProvider();
    const client = await visit(server.url);
    const back = await loginAt(await begin(client), person);
    server.clock.advance({ minutes: 10 });
    expect(await bring(client, back)).toBe(EXPIRED);
    const again = await loginAt(await begin(client), person);
    for (const cookie of ['a.b', '', '.', `${await client.cookie('oidc')}x`, '%00.%00']) {
      await client.jar.setCookie(`oidc=${cookie}`, server.url);
      expect(await bring(client, again)).toBe(EXPIRED);
    }
  });

  it('leads to a page of this site alone', async () => {
    await withProvider();
    const ada = await signUp(server.url, 'Provider Pages');
    for (const page of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/a?b',
      '/%2f',
    ]) {
      expect(codeOf(await ada.post('/auth/oidc', { page }))).toBe('VALIDATION_FAILED');
    }
    const client = await visit(server.url);
    const answer = await client.get('/auth/oidc?page=//evil.example&next=//evil.example');
    expect(locationOf(answer)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/auth\?/);
  });
});

describe('a provider that lies', () => {
  const MINUTE = 60;
  const now = () => Math.floor(Date.now() / 1000);

  it.each<[string, Lies]>([
    ['names another issuer', { claims: { iss: 'http://127.0.0.1:1' } }],
    ['answers for another client', { claims: { aud: 'another' } }],
    [
      'answers for several clients, and mainly another',
      { claims: { aud: ['capsules', 'b'], azp: 'b' } },
    ],
    ['answers another question', { claims: { nonce: 'another' } }],
    ['answers without a question', { claims: { nonce: undefined } }],
    ['answers of an hour ago', { claims: { iat: now() - 60 * MINUTE, exp: now() - 30 * MINUTE } }],
    ['signs with a key that is not its own', { isForged: true }],
    ['names nobody', { claims: { sub: undefined } }],
    ['names somebody by nothing', { claims: { sub: '' } }],
    ['names somebody at great length', { claims: { sub: 'a'.repeat(256) } }],
    ['names somebody by a number', { claims: { sub: 7 } }],
    ['says far too much', { padding: 300_000 }],
    ['says far too much in a claim', { claims: { more: 'a'.repeat(300_000) } }],
    ['speaks of somebody else when asked more', { userInfo: { sub: 'another' } }],
  ])('%s is not believed', async (_, lies) => {
    const liar = await startLyingProvider();
    onTestFinished(liar.close);
    server.deps.config.identityProvider = liar.settings;
    const before = await server.deps.db.$count(users);
    const client = await visit(server.url);
    expect(await bring(client, liar.ask(await begin(client), lies))).toBe(REFUSED);
    expect((await client.get('/user/me')).status).toBe(401);
    expect(await server.deps.db.$count(users)).toBe(before);
    // The same without the lie.
    liar.say({});
    const again = liar.ask(await begin(client), { userInfo: { email: newAddress() } });
    expect(await bring(client, again)).toBe(WELCOME);
    expect((await client.get('/user/me')).status).toBe(200);
  });

  it.each<[string, Lies]>([
    ['says that it is another', { metadata: { issuer: 'http://127.0.0.1:1' } }],
    ['says where to sign in in no address', { metadata: { authorization_endpoint: 7 } }],
    ['says far too much', { padding: 300_000 }],
  ])('%s about itself, and nobody is sent there', async (_, lies) => {
    const liar = await startLyingProvider();
    onTestFinished(liar.close);
    server.deps.config.identityProvider = liar.settings;
    liar.say(lies);
    const client = await visit(server.url);
    expect(locationOf(await client.get('/auth/oidc'))).toBe(REFUSED);
    expect(codeOf(await client.post('/auth/oidc', {}))).toBe('PROVIDER_REFUSED');
  });

  it('an address that it changes to that of somebody else signs in nobody else', async () => {
    const { provider, person } = await withProvider();
    const victim = await signUp(server.url, 'Provider Victim');
    const first = await visit(server.url);
    await bring(first, await loginAt(await begin(first), person));
    const { id } = (await first.get('/user/me')).json as { id: string };
    provider.put({ ...person, email: victim.user.email });
    const client = await visit(server.url);
    expect(await bring(client, await loginAt(await begin(client), person))).toBe(WELCOME);
    const own = (await client.get('/user/me')).json as { id: string; email: string };
    expect([own.id, own.email]).toEqual([id, person.email]);
    const rows = await server.deps.db.select().from(identities);
    expect(rows.filter(({ userId }) => userId === victim.user.id)).toEqual([]);
  });
});

describe('a provider that is', () => {
  it('away is said so, and people sign in with their password', async () => {
    const { provider, person, use } = await withProvider();
    const ada = await signUp(server.url, 'Provider Away');
    const client = await visit(server.url);
    const back = await loginAt(await begin(client), person);
    provider.away(true);
    expect(await bring(client, back)).toBe(AWAY);
    use();
    expect(locationOf(await client.get('/auth/oidc'))).toBe(AWAY);
    const answer = await client.post('/auth/oidc', {});
    expect([answer.status, codeOf(answer)]).toEqual([503, 'PROVIDER_AWAY']);
    const { email } = ada.user;
    expect((await client.post('/auth/login', { email, password: ada.password })).status).toBe(200);
    provider.away(false);
    const later = await visit(server.url);
    expect(await bring(later, await loginAt(await begin(later), person))).toBe(WELCOME);
  });

  it('slow is given up after some seconds', async () => {
    const { provider, person, use } = await withProvider();
    const client = await visit(server.url);
    const back = await loginAt(await begin(client), person);
    provider.slow(60_000);
    use();
    const began = performance.now();
    const pages = await Promise.all([
      bring(client, back),
      ...Array.from({ length: 5 }, async () =>
        locationOf(await (await visit(server.url)).get('/auth/oidc')),
      ),
    ]);
    expect(new Set(pages)).toEqual(new Set([AWAY]));
    expect(performance.now() - began).toBeLessThan(8_000);
  });

  it('changing its keys is believed at once', async () => {
    const { provider, person } = await withProvider();
    for (let times = 0; times < 3; times += 1) {
      const client = await visit(server.url);
      const url = await begin(client);
      provider.rotateKeys();
      expect(await bring(client, await loginAt(url, person))).toBe(WELCOME);
    }
  });
});

it('two servers share a journey, and end it once', async () => {
  const first = await startTestServer();
  onTestFinished(first.close);
  const second = await startTestServer({ deps: { db: first.deps.db } });
  onTestFinished(second.close);
  const provider = await startIdentityProvider(first.url);
  onTestFinished(provider.close);
  for (const { deps } of [first, second]) {
    // One site behind a proxy.
    Object.assign(deps.config, { appUrl: first.url, identityProvider: provider.settings });
  }
  const person = provider.put({ email: newAddress(), email_verified: true });
  const here = await visit(first.url);
  const back = await loginAt(locationOf(await here.get('/auth/oidc')), person);
  const headers = { cookie: await here.jar.getCookieString(first.url) };
  const there = { ...(await visit(second.url)) };
  const path = back.pathname + back.search;
  const pages = await Promise.all(
    [here, there, here, there].map(async (client) => locationOf(await client.get(path, headers))),
  );
  expect(pages.filter((page) => page === WELCOME)).toHaveLength(1);
});
