import { signOut, signOutOffline, unsentWork } from './state/sign-out.ts';
import { confirm } from './ui/confirm.tsx';

const OFFLINE =
  'You are offline. Everything of yours is removed from this device now, and your session ends on the server as soon as there is a connection.';

const UNKNOWN =
  'This page cannot see what is kept on this device. Drafts and capsules that were not sent may be deleted, or stay here.';

/**
 * Signs out, after asking about what would be lost by it.
 * @param offline without telling the server, which hears of it later
 * @returns false when the person would rather stay
 * @throws when it did not work; they are then still signed in
 */
export async function leaveDevice(offline: boolean, onBusy: () => void): Promise<boolean> {
  if (!(await askAboutLoss(offline))) return false;
  onBusy();
  await (offline ? signOutOffline() : signOut());
  return true;
}

/** @returns whether the person goes on, knowing what it costs */
async function askAboutLoss(offline: boolean): Promise<boolean> {
  const work = await unsentWork();
  const unsent = work === null ? UNKNOWN : unsentText(work);
  const text = [offline ? OFFLINE : '', unsent].filter((part) => part !== '').join(' ');
  if (text === '') return true;
  const yes = work === null || unsent === '' ? 'Sign out' : 'Sign out and delete them';
  return confirm(text, { danger: unsent !== '', yes, no: 'Stay signed in' });
}

/** What would be deleted, in words; empty when there is nothing. */
function unsentText({ drafts, queued }: { drafts: number; queued: number }): string {
  const sentences = [];
  if (queued === 1) sentences.push('1 capsule has not been sent yet.');
  if (queued > 1) sentences.push(`${queued} capsules have not been sent yet.`);
  if (drafts === 1) sentences.push('1 draft is unfinished.');
  if (drafts > 1) sentences.push(`${drafts} drafts are unfinished.`);
  if (sentences.length > 0) sentences.push('Signing out deletes all of this from this device.');
  return sentences.join(' ');
}
