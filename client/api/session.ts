import { type CurrentUser, getMe } from '../../shared/api/user.ts';
import { XSRF_HEADER } from '../../shared/limits.ts';
import { readAnswer } from './client.ts';
import { failedAnswer } from './errors.ts';
import { exchange } from './transport.ts';

export interface Identity {
  user: CurrentUser;
  /** The XSRF token of exactly this person's session. */
  xsrf: string;
}

/**
 * Asks who is signed in, and for the token of their session: a service worker cannot read the
 * cookie. @throws {CallError}
 */
export async function identify(signal?: AbortSignal): Promise<Identity> {
  const { status, json, header } = await exchange({
    address: getMe.path,
    method: getMe.method,
    headers: { Accept: 'application/json' },
    signal,
    endsWhenStalled: true,
  });
  if (status !== getMe.status) throw failedAnswer(status, json, header('Retry-After'));
  return { user: readAnswer(getMe, status, json), xsrf: header(XSRF_HEADER) ?? '' };
}
