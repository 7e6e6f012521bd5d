import { createExternalStore } from './external-store.ts';

/** What stands in the search box, before it is searched for. */
export const typedSearch = createExternalStore({ text: '' });
