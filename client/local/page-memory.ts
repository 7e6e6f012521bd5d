import type { Capsule } from '../../shared/api/capsules.ts';
import type { Pagination } from '../../shared/pagination.ts';
import { onChange, partOf } from './changes.ts';
import type { CapsuleRow } from './db.ts';

/** A page as the device keeps it, or as it was put together here. */
export interface CachedPage {
  capsules: Capsule[];
  pagination: Pagination;
  fetchedAt: number;
}

/** So many pages at most. */
const PAGES_MAX = 20;

/*
 * The pages that were read last, in this page's memory: what stands there is shown in the same
 * moment, without asking the database. Any change of a row that may belong to one, made here, by
 * another tab or by the worker, lets go of all.
 */
const pages = new Map<string, CachedPage>();

/** Counts the changes, so that what was read before one is not remembered after it. */
let changes = 0;

onChange((parts) => {
  if (!['all', partOf('lists'), partOf('capsules')].some((part) => part in parts)) return;
  changes += 1;
  pages.clear();
});

export function peekPage(name: string): CachedPage | null {
  return pages.get(name) ?? null;
}

/**
 * Reads a page and remembers it.
 * @returns the remembered page itself where the rows are still what they were: what is on the
 *   screen then need not be drawn again
 */
export async function remembered<Page extends CachedPage | null>(
  name: string,
  read: () => Promise<Page>,
): Promise<Page | CachedPage> {
  const before = changes;
  const page = await read();
  if (changes !== before) return page;
  const known = pages.get(name);
  if (page && known) return known;
  pages.delete(name);
  const [oldest] = pages.keys();
  if (oldest !== undefined && pages.size >= PAGES_MAX) pages.delete(oldest);
  if (page) pages.set(name, page);
  return page;
}

/** A capsule on one of those pages. */
export function peekCapsule(owner: string, id: string): CapsuleRow | null {
  for (const [name, { capsules, fetchedAt }] of pages) {
    const capsule = capsules.find((other) => other.id === id);
    if (capsule && name.startsWith(owner)) return { owner, id, capsule, lists: [], fetchedAt };
  }
  return null;
}
