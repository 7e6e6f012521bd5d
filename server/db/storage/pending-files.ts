import { and, asc, gt, inArray, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { type capsuleFiles, pendingFiles, type uploads } from '../schema.ts';

/** Before the first byte of a file is stored. */
export async function insertPending(db: Queryable, storageKey: string, now: Date): Promise<void> {
  await db.insert(pendingFiles).values({ storageKey, since: now });
}

/** In the transaction whose rows name these files. @returns false if one of them was released */
export async function takePending(tx: Queryable, keys: string[]): Promise<boolean> {
  if (keys.length === 0) return true;
  const taken = await tx
    .delete(pendingFiles)
    .where(and(inArray(pendingFiles.storageKey, keys), isNotNull(pendingFiles.since)))
    .returning({ storageKey: pendingFiles.storageKey });
  return taken.length === keys.length;
}

/** In the transaction that deletes the rows which named these files. */
export async function releaseFiles(tx: Queryable, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.execute(sql`
    insert into pending_files (storage_key) select unnest(${sql.param(keys)}::text[])
    on conflict do nothing`);
}

/** The same, before these rows are deleted. */
export async function releaseFilesOf(
  tx: Queryable,
  table: typeof capsuleFiles | typeof uploads,
  condition: SQL | undefined,
): Promise<void> {
  await tx.execute(sql`
    insert into pending_files (storage_key) select storage_key from ${table} where ${condition}
    on conflict do nothing`);
}

/** @returns those that no transaction has named meanwhile, and none will */
export async function releasePending(db: Queryable, keys: string[]): Promise<string[]> {
  const given = await db
    .update(pendingFiles)
    .set({ since: null })
    .where(inArray(pendingFiles.storageKey, keys))
    .returning({ storageKey: pendingFiles.storageKey });
  return given.map(({ storageKey }) => storageKey);
}

/** Releases what was begun before this time, and has no name yet. */
export async function releaseOld(db: Queryable, begunBefore: Date): Promise<void> {
  await db.update(pendingFiles).set({ since: null }).where(lte(pendingFiles.since, begunBefore));
}

/** Storage keys of files that can go, after this one, in order. */
export async function findReleased(
  db: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ storageKey: pendingFiles.storageKey })
    .from(pendingFiles)
    .where(and(isNull(pendingFiles.since), gt(pendingFiles.storageKey, after)))
    .orderBy(asc(pendingFiles.storageKey))
    .limit(limit);
  return rows.map(({ storageKey }) => storageKey);
}

/** After the files themselves were removed. */
export async function forgetReleased(db: Queryable, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await db.delete(pendingFiles).where(inArray(pendingFiles.storageKey, keys));
}
