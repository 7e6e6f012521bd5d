import { XSRF_COOKIE } from '../../shared/limits.ts';
import { isAborted, networkError } from '../http/call-error.ts';
import { FAREWELL_MS } from '../http/deadline.ts';
import { whileLeaving } from '../http/session-gate.ts';
import type { Unsent } from '../local/unsent.ts';
import { deviceState } from './device-state.ts';
import { forgetPerson, forgetPersonOffline } from './forget-person.ts';

/**
 * Ends the session on the server, then forgets the person on this device.
 * The call and its schemas are loaded only now: a visitor's pages do without them.
 * @throws {CallError} when the server could not be told; the person is then still signed in
 */
export async function signOut(): Promise<void> {
  const [{ call }, { logout }, { cancelCopies }, { giveUpUploads, whilePaused, sendNow }] =
    await Promise.all([
      import('../http/call.ts'),
      import('../../shared/api/auth.ts'),
      import('./copying.ts'),
      import('./outgoing.ts'),
    ]);
  try {
    // Nothing that is deleted below may still leave this device or enter its database.
    await whilePaused(async () => {
      await giveUpUploads();
      await whileLeaving(async () => {
        await call(logout, { signal: AbortSignal.timeout(FAREWELL_MS) });
        cancelCopies(() => true);
        await forgetPerson();
      });
    });
  } catch (error) {
    sendNow();
    throw isAborted(error) ? networkError() : error;
  }
}

/**
 * Forgets the person on this device while the server cannot be told. Their cookie is left,
 * out of reach of any script; no call is made with it but the one that ends the session, as
 * soon as there is a connection.
 * @throws when the device could not be wiped; nothing has changed then
 */
export async function signOutOffline(): Promise<void> {
  const [{ readCookie }, { cancelCopies, sweepAll }, { whilePaused, sendNow }, { requestSync }] =
    await Promise.all([
      import('../http/xsrf.ts'),
      import('./copying.ts'),
      import('./outgoing.ts'),
      import('../sync/triggers.ts'),
    ]);
  cancelCopies(() => true);
  try {
    await whilePaused(() => forgetPersonOffline(readCookie(XSRF_COOKIE) ?? ''));
  } catch (error) {
    void sweepAll();
    sendNow();
    throw error;
  }
  await requestSync();
}

/** What signing out would delete; null when this page cannot see what the device keeps. */
export async function unsentWork(): Promise<Unsent | null> {
  const { trouble } = deviceState.get();
  if (trouble === 'newer' || trouble === 'held') return null;
  try {
    const [{ countUnsent }, { readOwner }] = await Promise.all([
      import('../local/unsent.ts'),
      import('../local/owner.ts'),
    ]);
    const owner = await readOwner();
    return owner === null ? { drafts: 0, queued: 0 } : await countUnsent(owner);
  } catch {
    return null;
  }
}
