import { listOpened } from '../../shared/api/opened.ts';
import { call, identify } from '../api/client.ts';
import { openedUserId } from '../db/database.ts';
import { countNew, noteOpened, readOpenings } from '../db/openings.ts';

/**
 * Puts the number of opened capsules that were not looked at on this device on the app's icon.
 * Used by pages and by the worker.
 * @throws {CallError} when the server could not be asked; the icon stays as it is
 */
export async function refreshBadge(signal: AbortSignal): Promise<void> {
  // The session cookie may belong to another person by now.
  const { user, xsrf } = await identify(signal);
  if (user.id !== openedUserId()) return;
  const since = (await readOpenings())?.since;
  const answer = await call(listOpened, { query: { since }, xsrf, signal });
  const openings = await noteOpened(answer);
  if (!signal.aborted) setBadge(countNew(openings));
}

/** Puts a number on the app's icon, or with 0 takes it away. Not every browser can, or lets one. */
export function setBadge(count: number): void {
  const { navigator } = globalThis;
  if (!navigator?.setAppBadge) return;
  const done = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
  done.catch(() => undefined);
}
