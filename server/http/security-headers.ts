import { createMiddleware } from 'hono/factory';
import type { Config } from '../config.ts';
import type { AppEnv } from './context.ts';

/** For pages, and for scripts, since a worker lives under its script's policy: run its own files, show its own and its people's images, nothing else. */
export const PAGE_POLICY = [
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

/** For everything else: shown as a page, it may load and run nothing. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Default headers of every answer. Pages, downloads and cacheable files replace some of them. Set
 * before the answer is created, because changing a created Response is slow.
 */
export function securityHeaders({ secureCookies }: Pick<Config, 'secureCookies'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
    c.header('Cross-Origin-Opener-Policy', 'same-origin');
    c.header('Cross-Origin-Resource-Policy', 'same-origin');
    c.header('Content-Security-Policy', DATA_POLICY);
    c.header('Cache-Control', 'no-store');
    if (secureCookies) {
      c.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    }
    await next();
  });
}
