import { wipeDevice } from '../local/wipe.ts';
import { signedOut } from './auth.ts';
import { deviceState } from './device-state.ts';
import { forgetVisits } from './install-memory.ts';
import { forgetOpenings } from './opened-seen.ts';
import { forgetWantedPage, startLeaving } from './wanted-page.ts';

/** Forgets the person on this device, once the server knows that they have left. */
export async function forgetPerson(): Promise<void> {
  startLeaving();
  try {
    await wipeDevice();
  } finally {
    // A database that cannot be written must not keep anybody signed in.
    leave();
  }
}

/**
 * Forgets the person on this device before the server knows.
 * @param xsrf the token of their session, to end it with later
 * @throws when the device cannot remember that it has to: they are then still signed in
 */
export async function forgetPersonOffline(xsrf: string): Promise<void> {
  // In this page's memory the mark of it would be gone with the page.
  if (deviceState.get().trouble !== null) throw new Error('This device keeps nothing.');
  await wipeDevice(xsrf);
  leave();
}

/** What a form has kept over a reload and not read yet. */
function forgetTab(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Storage is forbidden: there is nothing to forget.
  }
}

function leave(): void {
  forgetOpenings();
  forgetWantedPage();
  forgetVisits();
  forgetTab();
  signedOut();
}
