/** The worker is woken under this name when there is a connection again, page or no page. */
export const SYNC_TAG = 'time-capsule-outbox';

/** One queue, one sender: every page and the worker take turns under this name. */
export const OUTBOX_LOCK = 'time-capsule-outbox';

/**
 * Held by whoever needs the queue to stand still: what is being sent steps aside, and nothing else
 * begins. Its name is from when only a new version of the app did.
 */
export const PAUSE_LOCK = 'time-capsule-update';

/** Whether somebody needs the queue to stand still. */
export async function isPauseWanted(): Promise<boolean> {
  try {
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name === PAUSE_LOCK);
  } catch {
    // Plain http has no locks, blocked storage refuses them: there is no worker to wait for then.
    return false;
  }
}
