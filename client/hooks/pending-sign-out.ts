import { readSession } from '../db/device.ts';
import { auth, authState, signedOut } from './auth.ts';

let settled: Promise<void> | null = null;

// A sign-out, in this tab or another one, may have left something to be done before the next call.
auth.subscribe(() => {
  settled = null;
});

/**
 * Resolves once no sign-out waits to be finished: every call of the page waits for this.
 * @throws when the server could not be told of a sign-out; the next call tries again
 */
export function settleSignOut(): Promise<void> {
  settled ??= settle().catch((error: unknown) => {
    settled = null;
    throw error;
  });
  return settled;
}

/** Where the device cannot be read and remembers nobody as signed in, any session is ended. */
const UNKNOWN = { userId: null, signOut: { userId: '', xsrf: '' } };

async function settle(): Promise<void> {
  const session = await readSession().catch(() => (authState().isLoggedIn ? null : UNKNOWN));
  if (!session?.signOut) return;
  if (session.userId === null && authState().isLoggedIn) signedOut();
  const { finishSignOut } = await import('../sync/finish-sign-out.ts');
  await finishSignOut(session.signOut);
}
