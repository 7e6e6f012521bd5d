import { logout } from '../../shared/api/auth.ts';
import { XSRF_HEADER } from '../../shared/limits.ts';
import { readAnswer } from './client.ts';
import { failedAnswer } from './errors.ts';
import { parseJson } from './transport.ts';

/** Whoever signs out, and every call that waits for that, waits for the server at most this long. */
export const FAREWELL_MS = 20_000;

/**
 * Ends the session that this browser's cookie stands for. It waits for nothing: every other
 * call waits for it.
 * @param xsrf the token of that session; when it is missing or stale the server's refusal
 *   brings the right one
 * @throws {CallError} when the server refuses, any other error when it cannot be reached in time
 */
export async function endSession(xsrf: string): Promise<void> {
  // For both tries together: everything else waits.
  const signal = AbortSignal.timeout(FAREWELL_MS);
  let answer = await post(xsrf, signal);
  const fresh = answer.headers.get(XSRF_HEADER);
  if (answer.status === 403 && fresh !== null) answer = await post(fresh, signal);
  const json = parseJson(await answer.text());
  if (!answer.ok) throw failedAnswer(answer.status, json, answer.headers.get('Retry-After'));
  // A captive portal says 200 to everything; only the server's own words count.
  readAnswer(logout, answer.status, json);
}

function post(xsrf: string, signal: AbortSignal): Promise<Response> {
  return fetch(logout.path, {
    method: logout.method,
    credentials: 'include',
    signal,
    headers: { Accept: 'application/json', [XSRF_HEADER]: xsrf },
  });
}
