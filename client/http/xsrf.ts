import type { Method } from '../../shared/api/endpoint.ts';
import { XSRF_COOKIE, XSRF_HEADER } from '../../shared/limits.ts';
import type { CallError } from './call-error.ts';

/** The XSRF header of an unsafe call, from the cookie the server set; none while there is no cookie. */
export function xsrfHeaders(method: Method): Record<string, string> {
  if (method === 'GET') return {};
  const token = readCookie(XSRF_COOKIE);
  return token === undefined ? {} : { [XSRF_HEADER]: token };
}

/** The refusal that brings a fresh cookie with it: worth one more try. */
export function isStaleXsrf(error: CallError): boolean {
  return error.status === 403 && error.code === 'XSRF_INVALID';
}

/** In pages only. */
export function readCookie(name: string): string | undefined {
  for (const pair of document.cookie.split('; ')) {
    if (pair.startsWith(`${name}=`)) return decodeURIComponent(pair.slice(name.length + 1));
  }
  return undefined;
}
