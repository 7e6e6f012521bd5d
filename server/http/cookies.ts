import { getCookie, setCookie } from 'hono/cookie';
import type { Deps } from '../deps.ts';
import type { AppContext } from './context.ts';

type CookieDeps = { config: Pick<Deps['config'], 'secureCookies'> };

/** Secret cookies: never readable by scripts, and on https tied to this very host. */
export type SecretCookie = 'session' | 'visitor' | 'device' | 'oidc';

function cookieName({ config }: CookieDeps, name: SecretCookie): string {
  return config.secureCookies ? `__Host-${name}` : name;
}

export function readSecretCookie(c: AppContext, deps: CookieDeps, name: SecretCookie) {
  return getCookie(c, cookieName(deps, name));
}

/** @param maxAge seconds; 0 removes it, undefined keeps it until the browser closes. */
export function writeSecretCookie(
  c: AppContext,
  deps: CookieDeps,
  name: SecretCookie,
  value: string,
  maxAge?: number,
): void {
  setCookie(c, cookieName(deps, name), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: deps.config.secureCookies,
    ...(maxAge === undefined ? {} : { maxAge }),
  });
}
