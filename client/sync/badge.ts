import { listOpened } from '../../shared/api/opened.ts';
import { identify } from '../http/identify.ts';
import { send } from '../http/send.ts';
import { countNew, noteOpened, readOpenings } from '../local/openings.ts';
import { setBadge } from './set-badge.ts';

/**
 * Asks which of this person's capsules have opened, and puts on the app's icon how many they
 * have not looked at on this device. The same for a page and for the worker.
 * @throws {CallError} when the server could not be asked; the icon is left as it is
 */
export async function refreshBadge(owner: string, signal: AbortSignal): Promise<void> {
  // The cookie may be another person's by now.
  const { user, xsrf } = await identify(signal);
  if (user.id !== owner) return;
  const since = (await readOpenings(owner))?.since;
  const answer = await send(listOpened, { query: { since }, xsrf, signal });
  const openings = await noteOpened(owner, answer);
  if (openings && !signal.aborted) setBadge(countNew(openings));
}
