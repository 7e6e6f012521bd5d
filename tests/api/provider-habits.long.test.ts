import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { users } from '../../server/db/schema.ts';
import { askProvider } from '../../shared/api/identities.ts';
import { newAddress, visit } from '../support/addresses.ts';
import { answerOf, type TestClient } from '../support/client.ts';
import { locationOf } from '../support/identity-provider.ts';
import { type Lies, startLyingProvider } from '../support/lying-provider.ts';
import { sharedServer } from '../support/server.ts';

/* The habits of providers, as their documents and public reports describe them. None was asked itself. */

/** What the log says about the provider. */
const lines: { provider?: unknown }[] = [];
const log = pino({
  level: 'info',
  hooks: {
    logMethod([fields], _method) {
      if (fields && typeof fields === 'object' && 'provider' in fields) lines.push(fields);
    },
  },
});
const server = sharedServer({ deps: { log } });

const SECRET = 'pa+ss/w=rd~8Q';
const WELCOME = '/auth/welcome';
const seconds = () => Math.floor(Date.now() / 1000);

async function start(clientSecret = SECRET) {
  const provider = await startLyingProvider();
  onTestFinished(provider.close);
  provider.settings.clientSecret = clientSecret;
  server.deps.config.identityProvider = { ...provider.settings };
  return provider;
}
type Provider = Awaited<ReturnType<typeof start>>;

async function pass(client: TestClient, provider: Provider, habits: Lies): Promise<string> {
  provider.say(habits);
  const { url } = answerOf(askProvider, await client.post('/auth/oidc', {}));
  return locationOf(await client.get(provider.ask(url, habits)));
}

interface Habit {
  name: string;
  /** What it says of an Ann with this address. */
  says: (email: string) => Lies;
  /** Whether our own email has to confirm the address. */
  isVerified: boolean;
  /** Whether people can confirm there who they are. */
  confirms: boolean;
}

const authTime = () => ({ auth_time: seconds() - 2 });

const HABITS: Habit[] = [
  {
    name: 'Google: no prompt=login, and no auth_time',
    says: (email) => ({
      claims: { email, email_verified: true, name: 'Ann' },
      prompts: ['none', 'consent', 'select_account'],
    }),
    isVerified: true,
    confirms: false,
  },
  {
    name: 'Authentik: compares the header as it is, and vouches for no address',
    says: (email) => ({
      secretBy: ['raw', 'post'],
      claims: { email, email_verified: false, name: 'Ann', ...authTime() },
      metadata: { prompt_values_supported: ['none', 'consent', 'login'] },
    }),
    isVerified: false,
    confirms: true,
  },
  {
    name: 'Authelia: who it is alone in the token, and one way for the secret',
    says: (email) => ({
      secretBy: ['decoded'],
      claims: authTime(),
      userInfo: { email, email_verified: true, name: 'Ann' },
    }),
    isVerified: true,
    confirms: true,
  },
  {
    name: 'Authelia, with the client registered for a form',
    says: (email) => ({
      secretBy: ['post'],
      claims: authTime(),
      userInfo: { email, email_verified: true, name: 'Ann' },
    }),
    isVerified: true,
    confirms: true,
  },
  {
    name: 'Keycloak: everything in the token',
    says: (email) => ({
      claims: { email, email_verified: true, name: 'Ann', ...authTime() },
      metadata: { prompt_values_supported: ['none', 'login', 'consent'] },
      prompts: ['none', 'login', 'consent'],
    }),
    isVerified: true,
    confirms: true,
  },
  {
    name: 'Microsoft: never says whose an address is, and auth_time only if it is told to',
    says: (email) => ({
      secretBy: ['decoded', 'post'],
      claims: { email, preferred_username: email, name: 'Ann' },
      userInfo: { email, email_verified: undefined, name: 'Ann' },
    }),
    isVerified: false,
    confirms: false,
  },
  {
    name: 'Microsoft, with the optional claim auth_time',
    says: (email) => ({
      claims: { email, name: 'Ann', ...authTime() },
      userInfo: { email, email_verified: undefined },
    }),
    isVerified: false,
    confirms: true,
  },
  {
    name: 'Pocket ID: everything in the token, and before 2.9 no auth_time',
    says: (email) => ({ claims: { email, email_verified: true, name: 'Ann' } }),
    isVerified: true,
    confirms: false,
  },
  {
    name: 'Okta: the address in the token, and whether it is theirs elsewhere',
    says: (email) => ({
      claims: { email, ...authTime() },
      userInfo: { email, email_verified: true, name: 'Ann' },
    }),
    isVerified: true,
    confirms: true,
  },
  {
    name: 'Cognito: "true" in words, which the standard has not',
    says: (email) => ({
      claims: { email, email_verified: 'true', name: 'Ann', ...authTime() },
      userInfo: { email, email_verified: 'true', name: 'Ann' },
    }),
    isVerified: false,
    confirms: true,
  },
  {
    name: 'one whose userinfo is broken, where the token names an address',
    says: (email) => ({
      claims: { email, name: 'Ann', ...authTime() },
      userInfo: { sub: 'somebody else' },
    }),
    isVerified: false,
    confirms: true,
  },
];

describe.each(HABITS)('a provider like $name', ({ says, isVerified, confirms }) => {
  it('signs in, and confirms who somebody is where it says when that was', async () => {
    const provider = await start();
    const email = newAddress();
    const client = await visit(server.url);
    expect(await pass(client, provider, says(email))).toBe(WELCOME);
    const isTheirs = eq(users.email, email);
    const [row] = await server.deps.db.select().from(users).where(isTheirs);
    expect([row?.name, row?.emailVerifiedAt !== null]).toEqual(['Ann', isVerified]);
    const page = await pass(client, provider, says(email));
    expect(page).toBe(`/profile/sign-in?provider=${confirms ? 'confirmed' : 'PROVIDER_REFUSED'}`);
    if (confirms) return;
    expect(lines.at(-1)).toMatchObject({ provider: { claim: 'auth_time', found: 'nothing' } });
  });
});

describe('an address of the provider', () => {
  it.each<[string, Lies['userInfo'], boolean]>([
    ['is not theirs if userinfo says no', { email_verified: false }, false],
    ['is not theirs if userinfo vouches for another', { email: 'other@example.org' }, false],
  ])('%s', async (_, userInfo, isVerified) => {
    const provider = await start();
    const email = newAddress();
    const client = await visit(server.url);
    await pass(client, provider, { claims: { email }, userInfo: { email, ...userInfo } });
    const isTheirs = eq(users.email, email);
    const [row] = await server.deps.db.select().from(users).where(isTheirs);
    expect(row?.emailVerifiedAt !== null).toBe(isVerified);
  });
});

describe('whoever confirms who they are', () => {
  it.each<[string, () => Lies['claims']]>([
    ['an hour ago', () => ({ auth_time: seconds() - 3_600 })],
    ['six minutes ago', () => ({ auth_time: seconds() - 360 })],
    ['at no time', () => ({ auth_time: undefined })],
    ['at a time in words', () => ({ auth_time: 'now' })],
  ])('signed in there %s is asked again, whatever their browser leaves out', async (_, claims) => {
    const provider = await start();
    const client = await visit(server.url);
    const userInfo = { email: newAddress(), email_verified: true };
    expect(await pass(client, provider, { userInfo })).toBe(WELCOME);
    const page = await pass(client, provider, { userInfo, claims: claims() });
    expect(page).toBe('/profile/sign-in?provider=PROVIDER_REFUSED');
    const now = { auth_time: seconds() };
    expect(await pass(client, provider, { userInfo, claims: now })).toBe(
      '/profile/sign-in?provider=confirmed',
    );
  });
});

it('of two tabs, the later one signs in, whichever comes back first', async () => {
  const provider = await start();
  const client = await visit(server.url);
  const userInfo = { email: newAddress(), email_verified: true };
  const begin = async () => answerOf(askProvider, await client.post('/auth/oidc', {})).url;
  const [first, later] = [await begin(), await begin()];
  const early = provider.ask(first, { claims: { sub: 'another' } });
  expect(locationOf(await client.get(early))).toBe('/auth?provider=PROVIDER_EXPIRED');
  const back = provider.ask(later, { userInfo });
  expect(locationOf(await client.get(back))).toBe(WELCOME);
  expect((await client.get('/user/me')).json).toMatchObject({ email: userInfo.email });
  await client.post('/auth/logout');
  expect(locationOf(await client.get(back))).toBe('/auth?provider=PROVIDER_EXPIRED');
});

describe('a provider that is away', () => {
  it('is asked before anybody is sent there, however lately it was there', async () => {
    const provider = await start();
    const client = await visit(server.url);
    expect(locationOf(await client.get('/auth/oidc'))).toContain(provider.settings.issuer);
    for (const how of ['gone', 'behind a proxy'] as const) {
      provider.away(how);
      expect(locationOf(await client.get('/auth/oidc'))).toBe('/auth?provider=PROVIDER_AWAY');
    }
    provider.away(false);
    expect(locationOf(await client.get('/auth/oidc'))).toContain(provider.settings.issuer);
  });
});

describe('the secret', () => {
  it('goes to the issuer’s host alone, or to one that the operator names', async () => {
    const provider = await start();
    const elsewhere = provider.settings.issuer.replace('127.0.0.1', 'localhost');
    for (const [endpoint, path] of [
      ['token_endpoint', 'token'],
      ['userinfo_endpoint', 'me'],
      ['jwks_uri', 'keys'],
    ] as const) {
      server.deps.config.identityProvider = { ...provider.settings };
      provider.say({ metadata: { [endpoint]: `${elsewhere}/${path}` } });
      const client = await visit(server.url);
      expect(locationOf(await client.get('/auth/oidc'))).toBe('/auth?provider=PROVIDER_REFUSED');
      const { host } = new URL(elsewhere);
      expect(lines.at(-1)).toMatchObject({ provider: { claim: endpoint, found: host } });
      server.deps.config.identityProvider = { ...provider.settings, hosts: [host] };
      expect(locationOf(await client.get('/auth/oidc'))).toContain(provider.settings.issuer);
    }
  });
});

describe('the log', () => {
  const said = () => lines.at(-1)?.provider;

  it('says what the provider has said, and which claim was other than expected', async () => {
    const provider = await start();
    const client = await visit(server.url);
    provider.say({});
    const { url } = answerOf(askProvider, await client.post('/auth/oidc', {}));
    const state = new URL(url).searchParams.get('state');
    const error = 'error=temporarily_unavailable&error_description=Try%20%1b%5B31mlater';
    await client.get(`/auth/oidc/callback?${error}&state=${state}`);
    expect(said()).toEqual({ error: 'temporarily_unavailable', description: 'Try �[31mlater' });

    await pass(client, provider, { secretBy: [] });
    expect(said()).toEqual({
      ...{ error: 'invalid_client', description: 'Who is this?', status: 401 },
    });
    await pass(client, provider, { claims: { aud: 'another' } });
    expect(said()).toEqual({ claim: 'aud', expected: 'capsules', found: 'another' });
    await pass(client, provider, { claims: { iss: 'https://other.example' } });
    expect(said()).toMatchObject({ claim: 'iss', found: 'https://other.example' });
    await pass(client, provider, { claims: { exp: 1 } });
    expect(said()).toMatchObject({ claim: 'exp', found: '1' });
    const text = JSON.stringify(lines);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(encodeURIComponent(SECRET));
  });
});
