/**
 * Removes all that this device keeps of the person who signs out: what was cached,
 * their drafts, files and queue. The database is loaded only now, so that pages for visitors
 * can name this function without carrying it.
 */
export async function wipeDevice(): Promise<void> {
  const { cacheTables, db } = await import('./db.ts');
  const caches = cacheTables();
  const owned = [db.drafts, db.files, db.chunks, db.outbox];
  await db.transaction('rw', [...caches, ...owned, db.meta], async () => {
    // Another call may have met the ended session first, and taken the device from its owner.
    const owners = (await db.meta.toArray()).map(({ value }) => value);
    for (const table of caches) await table.clear();
    for (const table of owned) await table.where('owner').anyOf(owners).delete();
    await db.meta.clear();
  });
}
