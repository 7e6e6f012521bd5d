import { noteTotalChange } from '../local/changes.ts';
import { db } from '../local/db.ts';
import { isInMemory, setPageEngine } from '../local/engine.ts';
import { LAST_WORDS } from '../local/names.ts';
import { outliveDatabase } from '../local/owner.ts';
import { deviceState } from './device-state.ts';

/*
 * How this page stands to the device's database. Imported before the first row is read.
 */

setPageEngine({
  loadOtherwise: () => import('../local/open-otherwise.ts'),
  loadMemory: async () => {
    const { indexedDB, IDBKeyRange } = await import('fake-indexeddb');
    return { indexedDB, IDBKeyRange };
  },
  onTrouble: (trouble) => deviceState.set({ trouble }),
  onLost: noteLoss,
});

// Before any row is read, also after the database was taken away.
db.on(
  'ready',
  async (opened) => {
    try {
      if (isInMemory() || !hasLastWords()) return;
      const { landLastWords } = await import('../local/last-words.ts');
      await landLastWords(opened as typeof db);
    } catch (error) {
      // They stay where they are, for the next page.
      reportError(error);
    }
  },
  true,
);

function hasLastWords(): boolean {
  try {
    return Object.keys(localStorage).some((name) => name.startsWith(LAST_WORDS));
  } catch {
    return false;
  }
}

/**
 * The database was closed or deleted from outside. Said before anything is read again, so that
 * rows which are missing then are not taken for rows that somebody removed.
 */
export function noteLoss(): void {
  outliveDatabase();
  noteTotalChange();
  // Nothing may still be written to what is going: it would count as saved.
  db.close({ disableAutoOpen: false });
  deviceState.set({ losses: deviceState.get().losses + 1 });
  // Not in this turn: Dexie hears of it in the same one, and closes again. A failure shows with
  // the next read.
  setTimeout(() => db.open().catch(() => undefined));
}
