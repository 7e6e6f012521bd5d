import { Dexie, RangeSet } from 'dexie';
import type { Capsule, CapsuleType } from '../../shared/api/capsules.ts';
import { CAPSULES_PER_PAGE } from '../../shared/limits.ts';
import { soundCapsule } from './cached.ts';
import { onChange, partOf } from './changes.ts';
import { type CapsuleRow, db } from './db.ts';
import type { ListKey } from './lists.ts';
import { type CachedPage, peekPage, remembered } from './page-memory.ts';

/** What a search looks at, of one kept capsule. */
interface Entry {
  id: string;
  lists: CapsuleType[];
  createdAt: string;
  fetchedAt: number;
  /** Lower case. */
  text: string;
}

/**
 * The texts of one person's kept capsules, newest first, in this page's memory: to read thousands
 * of rows takes longer than a person waits for a search. Rows that change are read again.
 */
let kept: { owner: string; entries: Promise<Entry[]> } | null = null;

/** So many rows are read in one go: on a slow device that is the longest the page stands still. */
const BATCH = 200;

onChange((parts) => {
  const ranges = parts[partOf('capsules')];
  if (!kept || !(ranges || 'all' in parts)) return;
  const { owner, entries } = kept;
  const ids = ranges && singleIds(ranges);
  kept = null;
  if (ids) keep(owner, readAgain(owner, entries, ids));
});

/** Reads the texts ahead of the first search. */
export function prepareSearch(owner: string): Promise<unknown> {
  return entriesOf(owner);
}

/** The search of a device without a connection: over all that is kept of one list, newest first. */
export function searchKept(key: ListKey): Promise<CachedPage> {
  return remembered(nameOf(key), () => search(key));
}

/** What it would find, at once, where the same was searched for before and nothing has changed since. */
export function peekSearch(key: ListKey): CachedPage | null {
  return peekPage(nameOf(key));
}

function nameOf({ owner, type, query, page }: ListKey): string {
  return [owner, 'search', type, page, query].join(' ');
}

async function search({ owner, type, query, page }: ListKey): Promise<CachedPage> {
  // A live query runs again when what it has asked for changes; memory it cannot watch.
  const counted = db.capsules.where('owner').equals(owner).count();
  const [entries] = await Promise.all([entriesOf(owner), counted]);
  const wanted = query.toLocaleLowerCase();
  const found = entries.filter(({ lists, text }) => lists.includes(type) && text.includes(wanted));
  const start = (page - 1) * CAPSULES_PER_PAGE;
  const rows = await readRows(
    owner,
    found.slice(start, start + CAPSULES_PER_PAGE).map(({ id }) => id),
  );
  return {
    capsules: rows.flatMap((row) => soundCapsule(row)?.capsule ?? []),
    pagination: {
      currentPage: page,
      totalPages: Math.ceil(found.length / CAPSULES_PER_PAGE),
      itemsPerPage: CAPSULES_PER_PAGE,
      totalItems: found.length,
    },
    fetchedAt: found.reduce((oldest, { fetchedAt }) => Math.min(oldest, fetchedAt), Date.now()),
  };
}

function entriesOf(owner: string): Promise<Entry[]> {
  return kept?.owner === owner ? kept.entries : keep(owner, readEntries(owner));
}

function keep(owner: string, entries: Promise<Entry[]>): Promise<Entry[]> {
  const reading = { owner, entries };
  kept = reading;
  entries.catch(() => {
    if (kept === reading) kept = null;
  });
  return entries;
}

async function readEntries(owner: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let after: string = ''; ; ) {
    const rows = await db.capsules
      .where('[owner+id]')
      .between([owner, after], [owner, Dexie.maxKey], false)
      .limit(BATCH)
      .toArray();
    entries.push(...rows.filter(isSearchable).map(asEntry));
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) break;
    after = last.id;
  }
  return newestFirst(entries);
}

async function readAgain(
  owner: string,
  before: Promise<Entry[]>,
  ids: Set<string>,
): Promise<Entry[]> {
  const [entries, rows] = await Promise.all([before, readRows(owner, [...ids])]);
  const changed = rows.flatMap((row) => (row && isSearchable(row) ? asEntry(row) : []));
  return newestFirst([...entries.filter(({ id }) => !ids.has(id)), ...changed]);
}

function readRows(owner: string, ids: string[]): Promise<(CapsuleRow | undefined)[]> {
  return db.capsules.bulkGet(ids.map((id): [string, string] => [owner, id]));
}

function newestFirst(entries: Entry[]): Entry[] {
  return entries.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

/** The ids of rows that were changed one by one; null where a stretch of rows was. */
function singleIds(ranges: Parameters<typeof RangeSet>[0]): Set<string> | null {
  const ids = new Set<string>();
  // From another tab it comes as bare data.
  for (const { from, to } of RangeSet(ranges)) {
    if (!Array.isArray(from) || String(from) !== String(to)) return null;
    ids.add(String(from[1]));
  }
  return ids;
}

/** A damaged row is not found; what is found is looked at more closely before it is shown. */
function isSearchable({ lists, capsule }: CapsuleRow): boolean {
  const parts: unknown[] = [lists, capsule?.recipientEmails];
  return parts.every(Array.isArray) && typeof capsule.createdAt === 'string';
}

function asEntry({ id, lists, fetchedAt, capsule }: CapsuleRow): Entry {
  return { id, lists, fetchedAt, createdAt: capsule.createdAt, text: textOf(capsule) };
}

function textOf({ title, description, senderName, senderEmail, recipientEmails }: Capsule): string {
  return [title, description, senderName, senderEmail, ...recipientEmails]
    .join('\n')
    .toLocaleLowerCase();
}
