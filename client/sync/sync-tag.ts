/** The worker is woken under this name when there is a connection again, page or no page. */
export const SYNC_TAG = 'time-capsule-outbox';
