/**
 * Removes all that this device keeps of the person who signs out: what was cached
 * and their drafts. The database is loaded only now, so that pages for visitors
 * can name this function without carrying it.
 */
export async function wipeDevice(): Promise<void> {
  const { cacheTables, db } = await import('./db.ts');
  const caches = cacheTables();
  await db.transaction('rw', [...caches, db.drafts, db.meta], async () => {
    const owner = (await db.meta.get('owner'))?.value;
    for (const table of caches) await table.clear();
    if (owner !== undefined) await db.drafts.where('owner').equals(owner).delete();
    await db.meta.delete('owner');
  });
}
