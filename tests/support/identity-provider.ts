import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, Provider } from 'oidc-provider';
import { CookieJar } from 'tough-cookie';
import type { Config } from '../../server/config.ts';
import { linkIdentity } from '../../shared/api/identities.ts';
import { answerOf, type SignedIn, type TestClient } from './client.ts';

/** Somebody who has an account at the provider. */
export interface ProviderPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/** What a server needs to know of it. */
export type ProviderSettings = NonNullable<Config['identityProvider']>;

/**
 * A real OpenID provider on this machine. Its login page signs in whoever's subject is typed there.
 * @param appUrl of the server that is its client
 */
export async function startIdentityProvider(appUrl: string | string[]) {
  const people = new Map<string, ProviderPerson>();
  const clientSecret = randomUUID();
  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const configuration = (): Configuration => ({
    clients: [
      {
        client_id: 'capsules',
        client_secret: clientSecret,
        redirect_uris: [appUrl].flat().map((url) => `${url}/auth/oidc/callback`),
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of a test'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ ...people.get(accountId), sub: accountId }),
    }),
    interactions: { url: (_, { uid }) => `/login/${uid}` },
    jwks: { keys: [newKey()] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    // Nobody is asked what they consent to.
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        clientId: client?.clientId,
        accountId: session?.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  let provider = start();
  /** How long each answer waits. */
  let delayMs = 0;
  let isAway = false;

  function start() {
    const started = new Provider(issuer, configuration());
    started.on('server_error', (_, error) => console.error(error));
    return started;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isAway) return void request.socket.destroy();
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const uid = /^\/login\/([\w-]+)/.exec(request.url ?? '')?.[1];
    if (!uid) return void provider.callback()(request, response);
    if (request.method !== 'POST') {
      response.setHeader('Content-Type', 'text/html');
      return void response.end(LOGIN_PAGE);
    }
    let body = '';
    for await (const part of request) body += part;
    const accountId = new URLSearchParams(body).get('who') ?? '';
    const result = people.has(accountId)
      ? { login: { accountId } }
      : { error: 'access_denied', error_description: 'Nobody is called so.' };
    await provider.interactionFinished(request, response, result);
  }

  const settings: ProviderSettings = {
    issuer,
    clientId: 'capsules',
    clientSecret,
    name: 'Family account',
    hosts: [],
  };

  return {
    issuer,
    settings,
    /** Gives somebody an account, or changes what the provider says about them. */
    put(person: Partial<ProviderPerson> = {}): ProviderPerson {
      const put = { sub: randomUUID(), ...person };
      people.set(put.sub, put);
      return put;
    },
    /** Signs with another key from now on, and forgets the one before. */
    rotateKeys: () => {
      provider = start();
    },
    slow: (ms: number) => {
      delayMs = ms;
    },
    away: (away: boolean) => {
      isAway = away;
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/**
 * Signs in at the provider's login page, as a browser does. @param url of the provider, with the request
 * in it @returns where the provider sends the browser back to
 */
export async function loginAt(url: string, { sub }: Pick<ProviderPerson, 'sub'>): Promise<URL> {
  const jar = new CookieJar();
  const { origin } = new URL(url);
  let next = url;
  for (let step = 0; step < 10; step += 1) {
    const cookie = await jar.getCookieString(next);
    const isForm = new URL(next).pathname.startsWith('/login/');
    const body = isForm ? new URLSearchParams({ who: sub }) : undefined;
    const method = isForm ? 'POST' : 'GET';
    const { headers } = await fetch(next, {
      method,
      body,
      redirect: 'manual',
      headers: { cookie },
    });
    for (const line of headers.getSetCookie()) await jar.setCookie(line, next);
    next = new URL(headers.get('location') ?? '', next).href;
    if (!next.startsWith(origin)) return new URL(next);
  }
  throw new Error(`The provider never came to an end: ${next}`);
}

/** Where a browser is led to by an answer. */
export const locationOf = ({ headers }: { headers: Headers }) => headers.get('location') ?? '';

/** Signs in at the provider, and comes back. @returns the page to which that leads */
export async function passBy(
  client: TestClient,
  url: string,
  person: Pick<ProviderPerson, 'sub'>,
): Promise<string> {
  const back = await loginAt(url, person);
  return locationOf(await client.get(back.pathname + back.search));
}

/** Links an account at the provider to somebody's here. @returns the page to which that leads */
export async function linkTo(
  ada: SignedIn,
  person: Pick<ProviderPerson, 'sub'>,
  password: unknown = ada.password,
): Promise<string> {
  const { url } = answerOf(linkIdentity, await ada.post('/user/identity', { password }));
  return passBy(ada, url, person);
}

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
}

const LOGIN_PAGE = `<!doctype html><html lang="en"><title>Family account</title><h1>Family account</h1>
<form method="post"><label>Who are you? <input name="who"></label><button>Sign in</button></form>`;
