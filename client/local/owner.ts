import type { Table } from 'dexie';
import type { CurrentUser } from '../../shared/api/user.ts';
import { cacheTables, db } from './db.ts';

/** Who this device's screens belong to; null when nobody signed in here or the session ended. */
export async function readOwner(): Promise<string | null> {
  return (await db.meta.get('owner'))?.value ?? null;
}

/**
 * Makes the device this person's. What another person's visit left in the cache is
 * removed; their drafts stay theirs, unseen, for when they come back.
 */
export async function claimDevice(user: CurrentUser, now: number): Promise<void> {
  const tables = cacheTables();
  await db.transaction('rw', [...tables, db.meta], async () => {
    for (const table of tables) await table.where('owner').notEqual(user.id).delete();
    await db.meta.delete('last-owner');
    await db.meta.put({ key: 'owner', value: user.id });
    await db.profiles.put({ owner: user.id, user, fetchedAt: now });
  });
}

/** The session ended by itself: the rows wait for their owner, and no screen shows them. */
export async function releaseDevice(): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const owner = await readOwner();
    if (owner === null) return;
    await db.meta.delete('owner');
    await db.meta.put({ key: 'last-owner', value: owner });
  });
}

/**
 * Writes rows of `owner`, unless the device has become someone else's since they
 * were asked for: an answer on its way must not outlive a sign-out.
 */
export async function writeAs(
  owner: string,
  tables: Table[],
  write: () => Promise<void>,
): Promise<void> {
  await db.transaction('rw', [...tables, db.meta], async () => {
    if ((await readOwner()) === owner) await write();
  });
}
