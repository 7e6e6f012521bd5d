/** The worker is woken under this name when there is a connection again, page or no page. */
export const SYNC_TAG = 'time-capsule-outbox';

/** One queue, one sender: every page and the worker take turns under this name. */
export const OUTBOX_LOCK = 'time-capsule-outbox';

/** Held by the page whose person wants the new version: what is being sent steps aside at its next part. */
export const UPDATE_LOCK = 'time-capsule-update';

/** Whether a new version of the app waits for the queue. */
export async function isUpdateWaiting(): Promise<boolean> {
  try {
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name === UPDATE_LOCK);
  } catch {
    // Plain http has no locks, blocked storage refuses them: there is no worker to wait for then.
    return false;
  }
}
