import { countNew, noteLook } from '../db/openings.ts';
import { deviceStorage } from '../db/web-storage.ts';
import { refreshBadge, setBadge } from '../sync/badge.ts';
import { STALE_AFTER_MS } from './use-resource.ts';

/**
 * Updates the number on the app's icon: opened capsules that were not looked at on this device.
 * Asks the server now, back online, and when the app is shown or hidden: then the icon is seen.
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

/** Remembers that the person looks at an opened capsule, and takes it off the badge. */
export async function lookAtOpened(capsuleId: string): Promise<void> {
  const others = readSeen().filter((id) => id !== capsuleId);
  deviceStorage.write(SEEN_KEY, JSON.stringify([...others, capsuleId].slice(-SEEN_MAX)));
  const openings = await noteLook(capsuleId).catch(() => null);
  if (openings) setBadge(countNew(openings));
}

/**
 * Ids of the capsules whose opening animation this device has shown, newest last. The database has
 * them too, for the badge, but a page must know before it first draws a capsule.
 */
const SEEN_KEY = 'openings-seen';
/** Beyond this number the oldest are forgotten, and their animation would be shown once more. */
const SEEN_MAX = 500;

export function hasSeenOpening(capsuleId: string): boolean {
  return readSeen().includes(capsuleId);
}

/** Called at sign-out. */
export function forgetOpenings(): void {
  deviceStorage.write(SEEN_KEY, null);
}

/** Where nothing can be stored, the animation is shown again. */
function readSeen(): string[] {
  const stored = deviceStorage.readJson(SEEN_KEY);
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
}
