import { createHmac } from 'node:crypto';
import { getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { XSRF_COOKIE, XSRF_HEADER } from '../../shared/limits.ts';
import { AppError, type AppErrorDetails } from '../app-error.ts';
import { equal } from '../auth/equal.ts';
import type { Deps } from '../deps.ts';
import type { AppContext, AppEnv } from './context.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The token is an HMAC under the caller's own secret cookie. Nobody who cannot read that
 * cookie can make it, it fits no other session, and the server need not remember it.
 */
export function xsrfToken(binding: string): string {
  return createHmac('sha256', binding).update('xsrf').digest('base64url');
}

/** Refuses unsafe calls of other sites, and those without the token of the caller's own cookie. */
export function xsrf({ config }: Pick<Deps, 'config'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!SAFE_METHODS.has(c.req.method)) {
      refuseOtherSites(c, config.appUrl);
      const given = c.req.header(XSRF_HEADER) ?? '';
      // The refusal sets the right cookie, so that a client with a stale token can retry once.
      const expected = xsrfToken(c.get('binding'));
      if (!equal(given, expected)) {
        // A service worker cannot read cookies; the token comes to it in a header.
        c.header(XSRF_HEADER, expected);
        throw new AppError('XSRF_INVALID', openedByHttp(c, config.appUrl));
      }
    }
    await next();
  });
}

/** Cookies of an https site go to no page that came by http, however often it is loaded again. */
function openedByHttp(c: AppContext, appUrl: string): AppErrorDetails {
  const isMeant = c.req.header('origin')?.startsWith('http://') && appUrl.startsWith('https://');
  return isMeant ? { message: `Please open this site at ${appUrl} instead.` } : {};
}

/**
 * Binds what the caller may send to this secret cookie of theirs, and tells them the token when they
 * do not have it.
 */
export function bind(c: AppContext, { config }: Pick<Deps, 'config'>, secret: string): void {
  c.set('binding', secret);
  const token = xsrfToken(secret);
  if (getCookie(c, XSRF_COOKIE) === token) return;
  setCookie(c, XSRF_COOKIE, token, {
    path: '/',
    sameSite: 'Lax',
    secure: config.secureCookies,
  });
}

/** Refuses requests that the browser says come from another site. */
function refuseOtherSites(c: AppContext, appUrl: string): void {
  if (c.req.header('sec-fetch-site') === 'cross-site') throw new AppError('CROSS_SITE');
  const origin = c.req.header('origin');
  if (origin === undefined || origin === appUrl) return;
  // Behind a proxy or on another local port the browser's own Host is what the page was loaded from.
  if (URL.canParse(origin) && new URL(origin).host === c.req.header('host')) return;
  throw new AppError('CROSS_SITE');
}
