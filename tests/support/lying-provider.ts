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
  const http = createServer((request, response) => {
    const says = answerTo(request.url ?? '');
    response.statusCode = says ? 200 : 404;
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

  const settings: ProviderSettings = {
    ...{ issuer, clientId: 'capsules', clientSecret: 'a secret', name: 'Liar' },
  };
  return {
    settings,
    /** Where it would send the browser back to. @param url of its sign-in page */
    ask(url: string, says: Lies = {}): string {
      lies = says;
      asked = new URL(url).searchParams;
      return `/auth/oidc/callback?code=any&state=${asked.get('state')}`;
    },
    /** What it says from now on. */
    say: (says: Lies) => {
      lies = says;
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function jwt(key: KeyObject, claims: object): string {
  const text = [{ alg: 'RS256', kid: 'own' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
