import type { Capsule, CapsuleType } from '../../shared/api/capsules.ts';
import { soundCapsule, soundList, soundSummary } from './cached.ts';
import { type CapsuleRow, db, type ListRow } from './db.ts';
import { writeAs } from './owner.ts';

export async function readCapsule(owner: string, id: string): Promise<CapsuleRow | null> {
  return soundCapsule(await db.capsules.get([owner, id]));
}

export async function writeCapsule(owner: string, capsule: Capsule, now: number): Promise<void> {
  await writeAs(owner, [db.capsules], async () => {
    const before = soundCapsule(await db.capsules.get([owner, capsule.id]));
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

/** Removes a capsule, and even where a full device cannot write the lists' new counts. */
export async function forgetCapsule(owner: string, id: string): Promise<void> {
  await removeCapsule(owner, id).catch(() => db.capsules.delete([owner, id]));
}

/**
 * Removes a capsule from every list, each of which then counts one less, never below 0, and from
 * what opens next. The other figures are the server's to say.
 */
export async function removeCapsule(owner: string, id: string): Promise<void> {
  await writeAs(owner, [db.lists, db.capsules, db.summaries], async () => {
    const row = soundCapsule(await db.capsules.get([owner, id]));
    await db.capsules.delete([owner, id]);
    for (const year of await db.summaries.where('owner').equals(owner).toArray()) {
      const summary = soundSummary(year)?.summary;
      const nextUnlocks = summary?.nextUnlocks.filter((next) => next.id !== id);
      if (!summary || !nextUnlocks || nextUnlocks.length === summary.nextUnlocks.length) continue;
      await db.summaries.put({ ...year, summary: { ...summary, nextUnlocks } });
    }
    for (const list of await listsOf(owner)) {
      const has = list.ids.includes(id);
      // Every page of a list it was in carries the count; a search only knows its own rows.
      if (!has && (list.query !== '' || !row?.lists.includes(list.type))) continue;
      const ids = list.ids.filter((other) => other !== id);
      await db.lists.put({ ...list, ids, pagination: counted(list, -1) });
    }
  });
}

async function listsOf(owner: string, type?: CapsuleType): Promise<ListRow[]> {
  const found = await db.lists.where('owner').equals(owner).toArray();
  const rows = found.flatMap((row) => soundList(row) ?? []);
  return type === undefined ? rows : rows.filter((row) => row.type === type);
}

function counted({ pagination }: ListRow, change: 1 | -1) {
  const totalItems = Math.max(0, pagination.totalItems + change);
  return { ...pagination, totalItems, totalPages: Math.ceil(totalItems / pagination.itemsPerPage) };
}
