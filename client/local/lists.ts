import type { Capsule, CapsulePage, CapsuleType } from '../../shared/api/capsules.ts';
import { soundCapsule, soundList } from './cached.ts';
import { type CapsuleRow, db, type ListRow } from './db.ts';
import { writeAs } from './owner.ts';
import { type CachedPage, peekPage, remembered } from './page-memory.ts';

/** Which page of which list of whom. */
export interface ListKey {
  owner: string;
  type: CapsuleType;
  /** Empty for the whole list. */
  query: string;
  page: number;
}

export function readList(key: ListKey): Promise<CachedPage | null> {
  return remembered(nameOf(key), async () => {
    const row = soundList(await db.lists.get([key.owner, key.type, key.query, key.page]));
    if (!row) return null;
    const rows = await db.capsules.bulkGet(row.ids.map((id): [string, string] => [key.owner, id]));
    const capsules = rows.flatMap((found) => soundCapsule(found)?.capsule ?? []);
    return { capsules, pagination: row.pagination, fetchedAt: row.fetchedAt };
  });
}

/** The same, at once, where it was read before and has not changed since. */
export function peekList(key: ListKey): CachedPage | null {
  return peekPage(nameOf(key));
}

function nameOf({ owner, type, query, page }: ListKey): string {
  return [owner, type, page, query].join(' ');
}

/** Keeps a page the server gave, and lets go of capsules that no kept page names any more. */
export async function writeList(key: ListKey, answer: CapsulePage, now: number): Promise<void> {
  const ids = answer.capsules.map(({ id }) => id);
  await writeAs(key.owner, [db.lists, db.capsules], async () => {
    const before = await deleteReplaced(key, answer.pagination.totalPages);
    await db.lists.put({ ...key, ids, pagination: answer.pagination, fetchedAt: now });
    for (const capsule of answer.capsules) await putCapsule(key, capsule, now);
    await leaveList(
      key,
      before.filter((id) => !ids.includes(id)),
    );
  });
}

async function putCapsule({ owner, type }: ListKey, capsule: Capsule, now: number) {
  const before = soundCapsule(await db.capsules.get([owner, capsule.id]));
  const lists = [...new Set([...(before?.lists ?? []), type])];
  await db.capsules.put({ owner, id: capsule.id, capsule, lists, fetchedAt: now });
}

/**
 * Deletes what a new page takes the place of: the page as it was, those beyond the last one, and
 * every other search of its list, since a history of them would only grow.
 * @returns whose ids stood there
 */
async function deleteReplaced({ owner, type, query, page }: ListKey, totalPages: number) {
  const isReplaced = (row: ListRow) => {
    if (row.type !== type) return false;
    if (row.query !== query) return query !== '' && row.query !== '';
    return row.page === page || row.page > totalPages;
  };
  const rows = await db.lists.where('owner').equals(owner).filter(isReplaced).toArray();
  await db.lists.bulkDelete(rows.map((row) => [row.owner, row.type, row.query, row.page]));
  return rows.flatMap((row) => soundList(row)?.ids ?? []);
}

async function leaveList({ owner, type }: ListKey, gone: string[]) {
  if (gone.length === 0) return;
  const found = await db.lists.where('owner').equals(owner).toArray();
  const rows = found.flatMap((row) => soundList(row) ?? []);
  const named = new Set(rows.filter((row) => row.type === type).flatMap((row) => row.ids));
  for (const id of gone.filter((candidate) => !named.has(candidate))) {
    const row = soundCapsule(await db.capsules.get([owner, id]));
    if (row)
      await keepInLists(
        row,
        row.lists.filter((list) => list !== type),
      );
  }
}

async function keepInLists(row: CapsuleRow, lists: CapsuleType[]) {
  if (lists.length === 0) await db.capsules.delete([row.owner, row.id]);
  else await db.capsules.put({ ...row, lists });
}
