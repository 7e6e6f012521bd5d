import { type CurrentUser, getMe } from '../../shared/api/user.ts';
import { XSRF_HEADER } from '../../shared/limits.ts';
import { parseJson, readAnswer } from './answer.ts';
import { abortedError, failedAnswer, networkError } from './call-error.ts';
import { withDeadline } from './deadline.ts';
import { askServer } from './session-gate.ts';

export interface Identity {
  user: CurrentUser;
  /** The XSRF token of exactly this person's session. */
  xsrf: string;
}

/**
 * Asks who is signed in, and for the token of their session: a service worker has no cookies
 * to read it from. @throws {CallError}
 */
export async function identify(signal?: AbortSignal): Promise<Identity> {
  const { status, headers, text } = await ask(signal);
  const json = parseJson(text);
  if (status !== getMe.status) throw failedAnswer(status, json, headers.get('Retry-After'));
  return { user: readAnswer(getMe, status, json), xsrf: headers.get(XSRF_HEADER) ?? '' };
}

async function ask(signal: AbortSignal | undefined) {
  const deadline = withDeadline(signal, 0);
  try {
    const answer = await askServer(getMe.path, {
      credentials: 'include',
      headers: { Accept: 'application/json' },
      signal: deadline.signal,
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch {
    throw signal?.aborted ? abortedError() : networkError();
  } finally {
    deadline.stop();
  }
}
