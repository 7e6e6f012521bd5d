import type { PageStorage } from '../db/database.ts';
import { deviceState } from './device-state.ts';
import { readyToReload } from './reload.ts';

/** How long a newer tab waits, before it upgrades the database, for this page to save what is typed. */
const UPGRADE_MAX_MS = 1_000;

/** A page that is younger has just been reloaded, perhaps for this. */
const TRIED_MS = 5_000;

/** What a page does about news of its database. @param isWanted false once its person has signed out elsewhere */
export function pageStorage(isWanted: () => boolean): PageStorage {
  return {
    onNewer: () => deviceState.set({ trouble: 'newer' }),
    onDeleted: () => {
      if (!isWanted()) return;
      // The last keys wait for the next page: most often only the connection is closed.
      void readyToReload();
      if (performance.now() > TRIED_MS) location.reload();
      else deviceState.set({ trouble: 'unavailable' });
    },
    beforeUpgrade: async () => {
      await Promise.race([readyToReload(), delay(UPGRADE_MAX_MS)]);
    },
  };
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
