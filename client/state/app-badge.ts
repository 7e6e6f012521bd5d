import { countNew, noteLook } from '../local/openings.ts';
import { refreshBadge } from '../sync/badge.ts';
import { setBadge } from '../sync/set-badge.ts';

const STALE_AFTER_MS = 30_000;

/**
 * Keeps the number on the app's icon: of capsules that have opened and that the person has not
 * looked at here. Asked now, back online, and when the app comes into sight or leaves it: that
 * is when its icon is seen.
 * @param leaving ends it; the person has then left
 */
export function keepBadge(owner: string, leaving: AbortSignal): void {
  let askedAt = 0;
  const ask = () => {
    if (!navigator.onLine || Date.now() - askedAt < STALE_AFTER_MS) return;
    askedAt = Date.now();
    refreshBadge(owner, leaving).catch(() => {
      // No more than a number: it waits for the next time.
      askedAt = 0;
    });
  };
  ask();
  window.addEventListener('online', ask, { signal: leaving });
  document.addEventListener('visibilitychange', ask, { signal: leaving });
}

/** Looked at, a capsule is not new any more. */
export async function lookAtOpened(capsuleId: string): Promise<void> {
  const openings = await noteLook(capsuleId).catch(() => null);
  if (openings) setBadge(countNew(openings));
}
