import { createMiddleware } from 'hono/factory';
import type { Config } from '../config.ts';
import type { AppEnv } from './context.ts';

/** What a page of the app may do: run its own files, show its own and its people's images, nothing else. */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The app makes the one script address it needs, its service worker's, through this policy.
  'trusted-types timecapsule',
].join('; ');

/** JSON may do nothing at all, should a browser ever show it as a page. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Headers every answer carries. An answer that set its own policy (a download) keeps it. */
export function securityHeaders({ secureCookies }: Pick<Config, 'secureCookies'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    await next();
    if (c.res.headers.has('x-hono-already-sent')) return;
    const headers = c.res.headers;
    headers.set('X-Content-Type-Options', 'nosniff');
    headers.set('Referrer-Policy', 'no-referrer');
    headers.set('Cross-Origin-Opener-Policy', 'same-origin');
    headers.set('Cross-Origin-Resource-Policy', 'same-origin');
    if (secureCookies) {
      headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    }
    if (!headers.has('Content-Security-Policy')) {
      // A worker's script needs the page's policy: the worker lives under it.
      const isData = headers.get('Content-Type')?.startsWith('application/json');
      headers.set('Content-Security-Policy', isData ? DATA_POLICY : PAGE_POLICY);
    }
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  });
}
