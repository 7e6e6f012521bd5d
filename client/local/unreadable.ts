import { isRecord } from './checks.ts';
import { db } from './db.ts';
import { isDraft, isOutboxItem } from './rows.ts';

/** A draft or a queued capsule whose row is damaged. It stays until its person has decided. */
export interface Unreadable {
  kind: 'draft' | 'capsule';
  owner: string;
  id: string;
  /** Whatever text is left in it. */
  words: string[];
}

export async function readUnreadable(owner: string): Promise<Unreadable[]> {
  const [drafts, items] = await Promise.all([
    db.drafts.where({ owner }).toArray(),
    db.outbox.where({ owner }).toArray(),
  ]);
  const as = (kind: Unreadable['kind']) => (row: { id: string }) => ({
    kind,
    owner,
    id: row.id,
    words: wordsIn(row),
  });
  return [
    ...items.filter((row) => !isOutboxItem(row)).map(as('capsule')),
    ...drafts.filter((row) => !isDraft(row)).map(as('draft')),
  ];
}

/** Every text in a row that is worth reading, deepest last: for a person who wants their words back. */
export function wordsIn(row: unknown): string[] {
  if (typeof row === 'string') return row.trim() === '' ? [] : [row];
  if (!isRecord(row)) return [];
  return Object.entries(row).flatMap(([name, value]) => (NO_WORDS.has(name) ? [] : wordsIn(value)));
}

const NO_WORDS = new Set(['owner', 'id', 'avatar', 'state', 'timeZone', 'code']);
