import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderSettings } from './identity-provider.ts';

/** What it says otherwise than an honest provider would. */
export interface Lies {
  /** In the ID token. */
  claims?: Record<string, unknown>;
  /** In what it says about itself. */
  metadata?: Record<string, unknown>;
  /** In what it says about the person. */
  userInfo?: Record<string, unknown>;
  /** Signs with a key that is not among those it shows. */
  isForged?: boolean;
  /** Before the answer to a code, in bytes of nothing. */
  padding?: number;
  /** How it takes the secret: the header decoded, as the standard has it, or as it is, or a form. */
  secretBy?: ('decoded' | 'raw' | 'post')[];
  /** Values of `prompt` for which it has a page. Others end at an error of its own. */
  prompts?: string[];
}

/**
 * A provider that says whatever a test wants, where a real one would not. It takes every code. The nonce is
 * the one it was asked with, as it learns of it by `ask`.
 */
export async function startLyingProvider() {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let lies: Lies = {};
  let asked = new URLSearchParams();
  let isAway: false | 'gone' | 'behind a proxy' = false;
  const http = createServer(async (request, response) => {
    if (isAway === 'gone') return void request.socket.destroy();
    if (isAway) return void response.writeHead(502).end('<h1>Bad Gateway</h1>');
    let body = '';
    for await (const part of request) body += part;
    const path = request.url ?? '';
    const isRefused = path === '/token' && !takes(request.headers.authorization, body);
    const says = isRefused ? UNKNOWN_CLIENT : answerTo(path);
    response.statusCode = isRefused ? 401 : says ? 200 : 404;
    const isByHeader = request.headers.authorization?.startsWith('Basic ');
    if (isRefused && isByHeader) response.setHeader('WWW-Authenticate', 'Basic realm="clients"');
    response.setHeader('Content-Type', 'application/json');
    response.end(`${' '.repeat(lies.padding ?? 0)}${JSON.stringify(says ?? {})}`);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  function answerTo(path: string): object | undefined {
    const now = Math.floor(Date.now() / 1000);
    switch (path) {
      case '/.well-known/openid-configuration':
        return {
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          userinfo_endpoint: `${issuer}/me`,
          id_token_signing_alg_values_supported: ['RS256'],
          ...lies.metadata,
        };
      case '/keys':
        return {
          keys: [
            { ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' },
          ],
        };
      case '/me':
        return { sub: 'liar', email: 'liar@example.org', email_verified: true, ...lies.userInfo };
      case '/token':
        return {
          access_token: 'any',
          token_type: 'Bearer',
          expires_in: 60,
          id_token: jwt(lies.isForged ? foreign.privateKey : own.privateKey, {
            ...{ iss: issuer, aud: 'capsules', sub: 'liar', nonce: asked.get('nonce') },
            ...{ iat: now, exp: now + 60, ...lies.claims },
          }),
        };
      default:
        return undefined;
    }
  }

  function takes(header: string | undefined, body: string): boolean {
    const { secretBy = ['decoded', 'post'] } = lies;
    const secret = settings.clientSecret;
    const form = new URLSearchParams(body);
    if (!header) return secretBy.includes('post') && form.get('client_secret') === secret;
    const [, sent = ''] = Buffer.from(header.replace('Basic ', ''), 'base64').toString().split(':');
    const decoded = decodeURIComponent(sent.replaceAll('+', ' '));
    return (
      (secretBy.includes('raw') && sent === secret) ||
      (secretBy.includes('decoded') && decoded === secret)
    );
  }

  const settings: ProviderSettings = {
    ...{ issuer, clientId: 'capsules', clientSecret: 'a secret', name: 'Liar', hosts: [] },
  };
  return {
    settings,
    /** Where it would send the browser back to. @param url of its sign-in page */
    ask(url: string, says: Lies = {}): string {
      lies = says;
      asked = new URL(url).searchParams;
      const prompt = asked.get('prompt');
      if (prompt && says.prompts?.includes(prompt) === false) throw new Error('A page of its own.');
      return `/auth/oidc/callback?code=any&state=${asked.get('state')}`;
    },
    /** What it says from now on. */
    say: (says: Lies) => {
      lies = says;
    },
    away: (away: typeof isAway) => {
      isAway = away;
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

const UNKNOWN_CLIENT = { error: 'invalid_client', error_description: 'Who is this?' };

function jwt(key: KeyObject, claims: object): string {
  const text = [{ alg: 'RS256', kid: 'own' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
