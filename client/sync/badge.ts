import { listOpened, markSeen } from '../../shared/api/opened.ts';
import { call, identify } from '../api/client.ts';
import { isAnswerOf } from '../api/errors.ts';
import { openedUserId } from '../db/database.ts';
import { countWaiting, noteOpened, noteTold, readOpenings } from '../db/openings.ts';

/**
 * Tells the server what was looked at on this device, asks it what waits to be opened, and puts
 * their number on the app's icon. Used by pages and by the worker.
 * @throws {CallError} when the server could not be asked; the icon stays as it is
 */
export async function refreshBadge(signal: AbortSignal): Promise<void> {
  // The session cookie may belong to another person by now.
  const { user, xsrf } = await identify(signal);
  if (user.id !== openedUserId()) return;
  for (const id of (await readOpenings()).untold) {
    await call(markSeen, { params: { id }, xsrf, signal }).catch((error: unknown) => {
      if (!isAnswerOf(error, 'CAPSULE_NOT_FOUND')) throw error;
    });
    await noteTold(id);
  }
  const askedAt = Date.now();
  const openings = await noteOpened(await call(listOpened, { xsrf, signal }), askedAt);
  if (!signal.aborted) setBadge(countWaiting(openings));
}

/** Puts a number on the app's icon, or with 0 takes it away. Not every browser can, or lets one. */
export function setBadge(count: number): void {
  const { navigator } = globalThis;
  if (!navigator?.setAppBadge) return;
  const done = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
  done.catch(() => undefined);
}
