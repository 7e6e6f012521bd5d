import type { Table } from 'dexie';
import type { CurrentUser } from '../../shared/api/user.ts';
import { onChange, partOf } from './changes.ts';
import { cacheTables, db } from './db.ts';
import { PENDING_SIGN_OUT } from './names.ts';

/** Whose this page is where the device could not write it down, or has lost it. */
let unwritten: string | null = null;

/** As it stood there when it was last looked up. */
let written: string | null = null;

/** The same, until a row there changes; undefined before it is looked up. */
let known: string | null | undefined;

onChange((parts) => {
  if ('all' in parts || partOf('meta') in parts) known = undefined;
});

/** {@link readOwner}, at once, where it was asked before and nothing has changed since. */
export function peekOwner(): string | null | undefined {
  return known;
}

/** Who this device's screens belong to; null when nobody signed in here or the session ended. */
export async function readOwner(): Promise<string | null> {
  const value: unknown = (await db.meta.get('owner'))?.value;
  written = typeof value === 'string' ? value : null;
  known = written ?? unwritten;
  return known;
}

/** The database is being taken away: what stands on this page's screens is still theirs. */
export function outliveDatabase(): void {
  unwritten = written ?? unwritten;
}

/** Writes down again whose the device is, after its database was taken away. */
export async function restoreOwner(owner: string): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    if (!(await db.meta.get('owner'))) await db.meta.put({ key: 'owner', value: owner });
  });
  unwritten = null;
}

/** Whose unfinished work this device may take in: its owner's, or of whose session ended by itself. */
export async function readKnownPerson(): Promise<string | null> {
  return (await readOwner()) ?? (await db.meta.get('last-owner'))?.value ?? null;
}

/**
 * Makes the device this person's. What another person's visit left in the cache is
 * removed; their drafts stay theirs, unseen, for when they come back.
 * @param before whom the device knew when it asked who this is: if it was wiped meanwhile,
 *   the answer is of somebody who has left
 * @returns false when the device is too full to note it: it then holds for this page alone
 */
export async function claimDevice(
  user: CurrentUser,
  now: number,
  before: string | null = null,
): Promise<boolean> {
  const claim = async (write: () => Promise<void>) => {
    await db.transaction('rw', [...cacheTables(), db.meta], async () => {
      const wasWiped = before !== null && (await readKnownPerson()) === null;
      if (wasWiped || (await db.meta.get(PENDING_SIGN_OUT))) return;
      for (const table of cacheTables()) await table.where('owner').notEqual(user.id).delete();
      await db.meta.delete('last-owner');
      await write();
    });
  };
  try {
    await claim(async () => {
      await db.meta.put({ key: 'owner', value: user.id });
      await db.profiles.put({ owner: user.id, user, fetchedAt: now });
    });
    unwritten = null;
    return true;
  } catch {
    // Removing takes no room, and nobody else's rows may stay in sight.
    await claim(async () => {
      if ((await db.meta.get('owner'))?.value !== user.id) await db.meta.delete('owner');
      unwritten = user.id;
    });
    return false;
  }
}

/** The session ended by itself: the rows wait for their owner, and no screen shows them. */
export async function releaseDevice(): Promise<void> {
  unwritten = null;
  const owner = await readOwner();
  if (owner === null) return;
  // First, so that what is just being saved is always somebody's; without room for it the drafts
  // wait all the same.
  await db.meta.put({ key: 'last-owner', value: owner }).catch(() => undefined);
  await db.meta.delete('owner');
}

/** This page belongs to nobody any more. @returns whose it was, where only the page knew */
export function forgetUnwritten(): string | null {
  const before = unwritten;
  unwritten = null;
  known = undefined;
  return before;
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
