import { createHash } from 'node:crypto';
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

/** The same for a page with styles in it: these, to the letter, and no others. */
export function policyWithStyles(page: string): string {
  const hashes = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(
    ([, style = '']) => ` 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  );
  return PAGE_POLICY.replace("style-src 'self'", `style-src 'self'${hashes.join('')}`);
}

/** For everything else, should a browser ever show it as a page: it may do nothing. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Headers every answer begins with; one that says otherwise of itself (a page, a download, a
 * file that may be kept) replaces them. Set before the answer is made: changing a made one
 * costs more than all of this.
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
