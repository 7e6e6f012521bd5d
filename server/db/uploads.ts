import { and, asc, count, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Queryable } from './open.ts';
import { capsuleFiles, uploadParts, uploads } from './schema.ts';

export type UploadRow = typeof uploads.$inferSelect;

/** @returns false when the id is taken. */
export async function insertUpload(tx: Queryable, row: typeof uploads.$inferInsert) {
  const rows = await tx
    .insert(uploads)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: uploads.id });
  return rows.length === 1;
}

export async function findUpload(
  db: Queryable,
  userId: string,
  id: string,
): Promise<UploadRow | undefined> {
  const [row] = await db.select().from(uploads).where(owned(userId, id));
  return row;
}

export function findUploads(db: Queryable, userId: string, ids: string[]): Promise<UploadRow[]> {
  return db
    .select()
    .from(uploads)
    .where(and(eq(uploads.userId, userId), inArray(uploads.id, ids)));
}

/** Counts a part as received, if the file still ends where it begins. @returns false when it does not. */
export async function addPart(
  tx: Queryable,
  part: { uploadId: string; start: number; bytes: number; storageKey: string; now: Date },
): Promise<boolean> {
  const moved = await tx
    .update(uploads)
    .set({ received: part.start + part.bytes, touchedAt: part.now })
    .where(and(eq(uploads.id, part.uploadId), eq(uploads.received, part.start)))
    .returning({ id: uploads.id });
  if (moved.length === 0) return false;
  const { uploadId, start, storageKey } = part;
  await tx.insert(uploadParts).values({ uploadId, start, storageKey });
  return true;
}

/** In the order in which they make the file. */
export function findParts(db: Queryable, uploadId: string) {
  return db
    .select()
    .from(uploadParts)
    .where(eq(uploadParts.uploadId, uploadId))
    .orderBy(asc(uploadParts.start));
}

/** Replaces the parts by the whole file. @returns false when another request has done so. */
export async function completeUpload(
  tx: Queryable,
  id: string,
  file: { storageKey: string; type: string; sha256: string },
): Promise<boolean> {
  const done = await tx
    .update(uploads)
    .set(file)
    .where(and(eq(uploads.id, id), sql`${uploads.storageKey} is null`))
    .returning({ id: uploads.id });
  if (done.length === 0) return false;
  await tx.delete(uploadParts).where(eq(uploadParts.uploadId, id));
  return true;
}

/** Takes uploads out, their bytes going on to whoever asked. @returns the rows that were there. */
export async function takeUploads(
  tx: Queryable,
  userId: string,
  ids: string[],
): Promise<UploadRow[]> {
  if (ids.length === 0) return [];
  return tx
    .delete(uploads)
    .where(and(eq(uploads.userId, userId), inArray(uploads.id, ids)))
    .returning();
}

export async function countUploads(db: Queryable, userId: string): Promise<number> {
  const [row] = await db.select({ total: count() }).from(uploads).where(eq(uploads.userId, userId));
  return row?.total ?? 0;
}

/** Bytes that uploads under way will take. */
export async function sumUploads(db: Queryable, userId: string): Promise<number> {
  const [row] = await db
    .select({ total: sql<string>`coalesce(sum(${uploads.bytes}), 0)` })
    .from(uploads)
    .where(eq(uploads.userId, userId));
  return Number(row?.total ?? 0);
}

/** Files of a capsule that came by resumable uploads. */
export function findUploadedFiles(db: Queryable, capsuleId: string, uploadIds: string[]) {
  return db
    .select({
      uploadId: capsuleFiles.uploadId,
      name: capsuleFiles.name,
      sha256: capsuleFiles.sha256,
    })
    .from(capsuleFiles)
    .where(and(eq(capsuleFiles.capsuleId, capsuleId), inArray(capsuleFiles.uploadId, uploadIds)));
}

/** Uploads nobody has continued since then; their bytes become orphans for the file sweep. */
export async function deleteAbandonedUploads(db: Queryable, touchedBefore: Date): Promise<void> {
  await db.delete(uploads).where(lte(uploads.touchedAt, touchedBefore));
}

function owned(userId: string, id: string) {
  return and(eq(uploads.userId, userId), eq(uploads.id, id));
}
