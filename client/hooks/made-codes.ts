import { createExternalStore } from './store.ts';
import { auth } from './use-session.ts';

/** Recovery codes that were made just now, until the person has saved them: they may have gone elsewhere meanwhile. */
export const madeCodes = createExternalStore<{ codes: string[] | null }>({ codes: null });
auth.subscribe(() => {
  if (!auth.get().isLoggedIn) madeCodes.set({ codes: null });
});
