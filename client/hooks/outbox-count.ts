import { createExternalStore } from './external-store.ts';

/** How many capsules wait on this device; known without the database, for the app's navigation. */
export const outboxCount = createExternalStore({ count: 0 });
