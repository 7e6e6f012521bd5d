import type { Capsule, CapsuleType } from '../../shared/api/capsules.ts';
import { CAPSULES_PER_PAGE } from '../../shared/limits.ts';
import { type CapsuleRow, db, type ListRow } from './db.ts';
import type { CachedPage, ListKey } from './lists.ts';
import { writeAs } from './owner.ts';

export async function readCapsule(owner: string, id: string): Promise<CapsuleRow | null> {
  return (await db.capsules.get([owner, id])) ?? null;
}

export async function writeCapsule(owner: string, capsule: Capsule, now: number): Promise<void> {
  await writeAs(owner, [db.capsules], async () => {
    const before = await db.capsules.get([owner, capsule.id]);
    const lists = before?.lists ?? [];
    await db.capsules.put({ owner, id: capsule.id, capsule, lists, fetchedAt: now });
  });
}

/** Puts a new capsule first in the created list, which then counts one more. */
export async function addCreated(owner: string, capsule: Capsule, now: number): Promise<void> {
  await writeAs(owner, [db.lists, db.capsules], async () => {
    const lists: CapsuleType[] = ['created'];
    await db.capsules.put({ owner, id: capsule.id, capsule, lists, fetchedAt: now });
    for (const row of await listsOf(owner, 'created')) {
      // A repeat of a create whose answer was lost: the list may have it by now.
      if (row.query !== '' || row.ids.includes(capsule.id)) continue;
      const first = row.page === 1;
      const ids = first ? [capsule.id, ...row.ids].slice(0, row.pagination.itemsPerPage) : row.ids;
      await db.lists.put({ ...row, ids, pagination: counted(row, +1) });
    }
  });
}

/** Removes a capsule from every list, each of which then counts one less, never below 0. */
export async function removeCapsule(owner: string, id: string): Promise<void> {
  await writeAs(owner, [db.lists, db.capsules], async () => {
    const row = await db.capsules.get([owner, id]);
    await db.capsules.delete([owner, id]);
    for (const list of await listsOf(owner)) {
      const has = list.ids.includes(id);
      // Every page of a list it was in carries the count; a search only knows its own rows.
      if (!has && (list.query !== '' || !row?.lists.includes(list.type))) continue;
      const ids = list.ids.filter((other) => other !== id);
      await db.lists.put({ ...list, ids, pagination: counted(list, -1) });
    }
  });
}

/** The search of a device without a connection: over all that is kept of one list, newest first. */
export async function searchKept({ owner, type, query, page }: ListKey): Promise<CachedPage> {
  const rows = await db.capsules.where('owner').equals(owner).toArray();
  const wanted = query.toLocaleLowerCase();
  const found = rows
    .filter((row) => row.lists.includes(type) && textOf(row.capsule).includes(wanted))
    .sort((a, b) => b.capsule.createdAt.localeCompare(a.capsule.createdAt));
  const start = (page - 1) * CAPSULES_PER_PAGE;
  return {
    capsules: found.slice(start, start + CAPSULES_PER_PAGE).map((row) => row.capsule),
    pagination: {
      currentPage: page,
      totalPages: Math.ceil(found.length / CAPSULES_PER_PAGE),
      itemsPerPage: CAPSULES_PER_PAGE,
      totalItems: found.length,
    },
    fetchedAt: Math.min(...found.map((row) => row.fetchedAt), Date.now()),
  };
}

function textOf({ title, description, senderName, senderEmail, recipientEmails }: Capsule): string {
  return [title, description, senderName, senderEmail, ...recipientEmails]
    .join('\n')
    .toLocaleLowerCase();
}

async function listsOf(owner: string, type?: CapsuleType): Promise<ListRow[]> {
  const rows = await db.lists.where('owner').equals(owner).toArray();
  return type === undefined ? rows : rows.filter((row) => row.type === type);
}

function counted({ pagination }: ListRow, change: 1 | -1) {
  const totalItems = Math.max(0, pagination.totalItems + change);
  return { ...pagination, totalItems, totalPages: Math.ceil(totalItems / pagination.itemsPerPage) };
}
