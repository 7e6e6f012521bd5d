import { openDatabase, type PageStorage } from '../db/database.ts';
import { deviceState } from './device-state.ts';
import { readyToReload } from './reload.ts';

/** How long a newer tab waits, before it upgrades the database, for this page to save what is typed. */
const UPGRADE_MAX_MS = 1_000;

/** Right after its data was deleted a browser may fail to open a database. */
const DELETED_MS = 500;

/** What a page does about news of its database. @param reopen called when the database was deleted */
export function pageStorage(reopen: () => Promise<void>): PageStorage {
  return {
    onNewer: () => deviceState.set({ trouble: 'newer' }),
    onDeleted: () => void reopen().catch(reportError),
    beforeUpgrade: async () => {
      await Promise.race([readyToReload(), delay(UPGRADE_MAX_MS)]);
    },
  };
}

/** Opens a database that was deleted under this page, whose open forms then save their text again. */
export async function openAgain(userId: string, reopen: () => Promise<void>): Promise<void> {
  await delay(DELETED_MS);
  await openDatabase(userId, pageStorage(reopen));
  deviceState.set({ losses: deviceState.get().losses + 1 });
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
