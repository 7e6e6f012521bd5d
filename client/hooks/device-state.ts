import { useSyncExternalStore } from 'react';
import { onBetween } from '../api/session.ts';
import type { StorageTrouble } from '../db/database.ts';
import { createExternalStore } from './store.ts';

export interface DeviceState {
  /** Why this page's database cannot be opened; null while it can. */
  trouble: StorageTrouble | null;
  /** How many capsules wait in the outbox. */
  queued: number;
  /** A sign-in page answers in place of the server. */
  isBetween: boolean;
}

/** What the app's frame shows of the person's database, on any page and without loading Dexie. */
export const deviceState = createExternalStore<DeviceState>({
  trouble: null,
  queued: 0,
  isBetween: false,
});
onBetween((isBetween) => deviceState.set({ isBetween }));

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** False while the device knows that it has no network; true promises nothing. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}
