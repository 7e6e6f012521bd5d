import { noteTotalChange } from '../local/changes.ts';
import { db } from '../local/db.ts';
import { isInMemory, setPageEngine } from '../local/engine.ts';
import { LAST_WORDS, namesOfLastWords } from '../local/last-words-names.ts';
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

/** Words that are there are worth a moment; what holds them up is not. */
const LANDING_MS = 1_000;

// Before any row is read, also after the database was taken away.
db.on('ready', (opened) => takeLastWords((opened ?? db) as typeof db), true);

// Another tab has just left: what it leaves behind is not to wait until its draft is sealed here.
globalThis.window?.addEventListener('storage', ({ key, newValue }) => {
  if (key?.startsWith(LAST_WORDS) && newValue !== null) void takeLastWords(db);
});

async function takeLastWords(database: typeof db): Promise<void> {
  if (isInMemory() || namesOfLastWords().length === 0) return;
  const landing = import('../local/last-words.ts')
    .then(({ landLastWords }) => landLastWords(database))
    // They stay where they are, for the next page.
    .catch(reportError);
  await Promise.race([landing, new Promise((resolve) => setTimeout(resolve, LANDING_MS))]);
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
