import { endSession } from '../api/end-session.ts';
import {
  databaseName,
  noteSignOutFinished,
  type PendingSignOut,
  readSession,
} from '../db/device.ts';
import { withLock } from '../db/with-lock.ts';

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
    if (userId !== '') indexedDB.deleteDatabase(databaseName(userId));
    if (xsrf !== null) await endSession(xsrf);
    if (session) await noteSignOutFinished();
  });
}
