import { wipeDevice } from '../local/wipe.ts';
import { signedOut } from './auth.ts';
import { forgetOpenings } from './opened-seen.ts';

/** Forgets the person on this device, once the server knows that they have left. */
export async function forgetPerson(): Promise<void> {
  try {
    await wipeDevice();
  } finally {
    // A database that cannot be written must not keep anybody signed in.
    forgetOpenings();
    signedOut();
  }
}
