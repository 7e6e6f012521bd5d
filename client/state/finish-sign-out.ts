import { readPendingSignOut } from '../local/pending-sign-out.ts';
import { signedOut } from './auth.ts';

/** Goes on with a sign-out that the server has not heard of, as soon as there is a connection. */
export async function finishSignOut(): Promise<void> {
  if ((await readPendingSignOut()) === null) return;
  // The flag in the browser's storage is written less safely than the mark.
  signedOut();
  const { settleSignOut } = await import('../sync/settle-sign-out.ts');
  await settleSignOut();
}
