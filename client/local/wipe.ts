import { namesOfLastWords } from './last-words-names.ts';
import { PENDING_SIGN_OUT } from './names.ts';

/**
 * Removes all that this device keeps of the person who signs out: what was cached,
 * their drafts, files and queue. The database is loaded only now, so that pages for visitors
 * can name this function without carrying it.
 * @param pending the XSRF token of the session, when the server does not know yet that it has
 *   ended; the mark of it is written with the wipe or not at all
 */
export async function wipeDevice(pending: string | null = null): Promise<void> {
  const [{ cacheTables, db }, { chunkTables, wipeChunks }, { forgetUnwritten }] = await Promise.all(
    [import('./db.ts'), import('./chunks.ts'), import('./owner.ts')],
  );
  const unwritten = forgetUnwritten();
  const caches = cacheTables();
  let owners: string[] = [];
  const owned = [db.drafts, db.files, db.outbox, db.abandoned];
  const tables = [...caches, ...owned, ...chunkTables(), db.meta];
  const wiping = db.transaction('rw', tables, async () => {
    // Another call may have met the ended session first, and taken the device from its owner.
    const rows = await db.meta.bulkGet(['owner', 'last-owner']);
    owners = [unwritten, ...rows.map((row) => row?.value)].filter(
      (owner) => typeof owner === 'string',
    );
    for (const table of caches) await table.clear();
    for (const table of owned) await table.where('owner').anyOf(owners).delete();
    await wipeChunks(owners);
    await db.meta.clear();
    if (pending !== null) await db.meta.put({ key: PENDING_SIGN_OUT, value: pending });
  });
  try {
    await wiping;
    for (const owner of owners) forgetNames(namesOfLastWords(owner));
  } catch (error) {
    // Whose they are could not be read; they leave all the same.
    if (pending === null) forgetNames(namesOfLastWords());
    throw error;
  }
}

function forgetNames(names: readonly string[]): void {
  for (const name of names) localStorage.removeItem(name);
}
