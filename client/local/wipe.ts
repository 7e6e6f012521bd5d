import { LAST_WORDS, PENDING_SIGN_OUT } from './names.ts';

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
  await db.transaction('rw', [...caches, ...owned, ...chunkTables(), db.meta], async () => {
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
  for (const owner of owners) wipeLastWords(owner);
}

function wipeLastWords(owner: string): void {
  // A worker has no such storage, and a page may be forbidden to use it.
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(`${LAST_WORDS}${owner} `)) localStorage.removeItem(name);
    }
  } catch {
    // Nothing was kept there then.
  }
}
