import { endSession } from '../http/end-session.ts';
import { clearPendingSignOut, readPendingSignOut } from '../local/pending-sign-out.ts';
import { withLock } from '../local/with-lock.ts';

const LOCK = 'time-capsule-sign-out';

/**
 * Ends on the server the session that a person has left without a connection. Pages and the
 * worker hold every call back until this is done, so the cookie that is still there serves
 * nobody, and whoever signs in next does so without it.
 * @throws when the server could not be told
 */
export async function settleSignOut(): Promise<void> {
  if ((await readPendingSignOut()) === null) return;
  await withLock(LOCK, {}, async () => {
    // Another page or the worker may have been first.
    const xsrf = await readPendingSignOut();
    if (xsrf === null) return;
    await endSession(xsrf);
    await clearPendingSignOut();
  });
}
