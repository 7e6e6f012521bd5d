import { endSession } from '../http/end-session.ts';
import { clearPendingSignOut, readPendingSignOut } from '../local/pending-sign-out.ts';
import { withLock } from '../local/with-lock.ts';

const LOCK = 'time-capsule-sign-out';

/**
 * Ends on the server the session that a person has left without a connection. Pages and the
 * worker hold every call back until this is done, so the cookie that is still there serves
 * nobody, and whoever signs in next does so without it.
 * @param isSignedIn pages only: whether this browser remembers somebody as signed in
 * @throws when the server could not be told
 */
export async function settleSignOut(isSignedIn?: () => boolean): Promise<void> {
  try {
    if ((await readPendingSignOut()) === null) return;
  } catch (error) {
    // The browser does not open its database. A worker has nothing to send then; a page goes on in
    // its memory, and must not be shut out of every call.
    if (!isSignedIn) throw error;
    await endUnknown(isSignedIn);
    return;
  }
  await withLock(LOCK, {}, async () => {
    // Another page or the worker may have been first.
    const xsrf = await readPendingSignOut();
    if (xsrf === null) return;
    await endSession(xsrf);
    await clearPendingSignOut();
  });
}

let isEnded = false;

/** Nobody can say whether there is a mark: where nobody is remembered, any session is ended, once. */
async function endUnknown(isSignedIn: () => boolean): Promise<void> {
  if (isEnded || isSignedIn()) return;
  await endSession('');
  isEnded = true;
}
