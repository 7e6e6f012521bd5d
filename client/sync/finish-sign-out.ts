import { logout } from '../../shared/api/logout.ts';
import { XSRF_HEADER } from '../../shared/limits.ts';
import { readAnswer } from '../api/client.ts';
import { failedAnswer } from '../api/errors.ts';
import { exchange } from '../api/transport.ts';
import {
  databaseName,
  deleteDatabase,
  noteSignOut,
  noteSignOutFinished,
  type PendingSignOut,
  readSession,
} from '../db/device.ts';
import { withLock } from '../db/with-lock.ts';

/** A person who signs out, and every call that waits for the sign-out, waits at most this long. */
export const SIGN_OUT_MAX_MS = 20_000;

/**
 * Goes on with a sign-out that was begun without a connection, or cut off: deletes the person's
 * database and ends their session on the server. Nothing is sent with the cookie before.
 * @throws when the server could not be told
 */
export async function finishSignOut({ userId, xsrf }: PendingSignOut): Promise<void> {
  await withLock('time-capsule-sign-out', {}, async () => {
    // Another page or the worker may have been first.
    const session = await readSession().catch(() => null);
    if (session && session.signOut === null) return;
    const isDeleted = userId === '' || (await deleteDatabase(databaseName(userId)));
    if (xsrf !== null) await endSession(xsrf);
    // What a sleeping tab holds up is deleted at the next start.
    if (session) await (isDeleted ? noteSignOutFinished() : noteSignOut({ userId, xsrf: null }));
  });
}

/**
 * Ends the session that this browser's cookie stands for.
 * @param xsrf the token of that session; when it is missing or stale the server's refusal
 *   brings the right one
 */
async function endSession(xsrf: string): Promise<void> {
  // One limit for both tries.
  const signal = AbortSignal.timeout(SIGN_OUT_MAX_MS);
  const post = (token: string) =>
    exchange({
      address: logout.path,
      method: logout.method,
      headers: { Accept: 'application/json', [XSRF_HEADER]: token },
      signal,
      endsWhenStalled: false,
      skipsGate: true,
    });
  let answer = await post(xsrf);
  const fresh = answer.header(XSRF_HEADER);
  if (answer.status === 403 && fresh !== null) answer = await post(fresh);
  const { status, json, header } = answer;
  if (status < 200 || status > 299) throw failedAnswer(status, json, header('Retry-After'));
  // A captive portal says 200 to everything; only the server's own words count.
  readAnswer(logout, status, json);
}
