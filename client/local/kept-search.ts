import { Dexie } from 'dexie';
import type { Capsule, CapsuleType } from '../../shared/api/capsules.ts';
import { CAPSULES_PER_PAGE } from '../../shared/limits.ts';
import { soundCapsule } from './cached.ts';
import { type CapsuleRow, db } from './db.ts';
import type { CachedPage, ListKey } from './lists.ts';

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
 * of rows takes longer than a person waits for a search. Any change of a row lets go of them.
 */
let kept: { owner: string; entries: Promise<Entry[]> } | null = null;

/** So many rows are read in one go: on a slow device that is the longest the page stands still. */
const BATCH = 200;

Dexie.on('storagemutated', (parts) => {
  if (Object.keys(parts).some((part) => part.startsWith(`idb://${db.name}/capsules/`))) kept = null;
});

/** Reads the texts ahead of the first search. */
export function prepareSearch(owner: string): Promise<unknown> {
  return entriesOf(owner);
}

/** The search of a device without a connection: over all that is kept of one list, newest first. */
export async function searchKept({ owner, type, query, page }: ListKey): Promise<CachedPage> {
  // A live query runs again when what it has asked for changes; memory it cannot watch.
  const counted = db.capsules.where('owner').equals(owner).count();
  const [entries] = await Promise.all([entriesOf(owner), counted]);
  const wanted = query.toLocaleLowerCase();
  const found = entries.filter(({ lists, text }) => lists.includes(type) && text.includes(wanted));
  const start = (page - 1) * CAPSULES_PER_PAGE;
  const keys = found
    .slice(start, start + CAPSULES_PER_PAGE)
    .map(({ id }): [string, string] => [owner, id]);
  const rows = await db.capsules.bulkGet(keys);
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
  if (kept?.owner !== owner) {
    const reading = { owner, entries: readEntries(owner) };
    kept = reading;
    reading.entries.catch(() => {
      if (kept === reading) kept = null;
    });
  }
  return kept.entries;
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
  return entries.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
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
