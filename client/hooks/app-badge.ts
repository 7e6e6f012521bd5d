import { countNew, noteLook } from '../db/openings.ts';
import { refreshBadge, setBadge } from '../sync/badge.ts';

const STALE_AFTER_MS = 30_000;

/**
 * Updates the number on the app's icon: opened capsules that were not looked at on this device.
 * Asks now, back online, and when the app is shown or hidden, for then the icon is seen.
 * @param leaving aborted when the person signs out
 */
export function keepBadge(leaving: AbortSignal): void {
  let askedAt = 0;
  const ask = () => {
    if (!navigator.onLine || Date.now() - askedAt < STALE_AFTER_MS) return;
    askedAt = Date.now();
    refreshBadge(leaving).catch(() => {
      // The badge stays as it is until the next event.
      askedAt = 0;
    });
  };
  ask();
  window.addEventListener('online', ask, { signal: leaving });
  document.addEventListener('visibilitychange', ask, { signal: leaving });
}

/** Takes a capsule that was looked at off the badge. */
export async function lookAtOpened(capsuleId: string): Promise<void> {
  const openings = await noteLook(capsuleId).catch(() => null);
  if (openings) setBadge(countNew(openings));
}
