import { asc, gt, inArray } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { releasedFiles } from '../schema.ts';

/** Storage keys of released files after this one, in order. */
export async function findReleased(
  db: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .select()
    .from(releasedFiles)
    .where(gt(releasedFiles.storageKey, after))
    .orderBy(asc(releasedFiles.storageKey))
    .limit(limit);
  return rows.map(({ storageKey }) => storageKey);
}

/** Which of these files are released. */
export async function findReleasedAmong(db: Queryable, keys: string[]): Promise<Set<string>> {
  const rows = await db.select().from(releasedFiles).where(inArray(releasedFiles.storageKey, keys));
  return new Set(rows.map(({ storageKey }) => storageKey));
}

/** After the files themselves were removed. */
export async function forgetReleased(db: Queryable, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await db.delete(releasedFiles).where(inArray(releasedFiles.storageKey, keys));
}
