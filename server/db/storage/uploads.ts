import { and, count, eq, inArray, isNull, lte } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { capsuleFiles, uploads } from '../schema.ts';

export type UploadRow = typeof uploads.$inferSelect;

/** @returns false if the id is taken */
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

/** Moves the offset if nobody else has moved it. @returns false otherwise */
export async function setReceived(
  db: Queryable,
  { id, from, to }: { id: string; from: number; to: number },
  now: Date,
): Promise<boolean> {
  const moved = await db
    .update(uploads)
    .set({ received: to, touchedAt: now })
    .where(and(eq(uploads.id, id), eq(uploads.received, from), isNull(uploads.sha256)))
    .returning({ id: uploads.id });
  return moved.length === 1;
}

/** @returns undefined if the upload is gone or has restarted */
export async function completeUpload(
  db: Queryable,
  { id, storageKey }: Pick<UploadRow, 'id' | 'storageKey'>,
  file: { type: string; sha256: string },
): Promise<UploadRow | undefined> {
  const isWhole = eq(uploads.received, uploads.bytes);
  const [done] = await db
    .update(uploads)
    .set(file)
    .where(and(eq(uploads.id, id), eq(uploads.storageKey, storageKey), isWhole))
    .returning();
  return done;
}

/** Deletes the rows of uploads whose files the caller takes over. @returns the deleted rows */
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

/**
 * Deletes uploads that nobody has continued since then, of one person or of all. @returns their
 * storage keys
 */
export async function deleteAbandonedUploads(
  db: Queryable,
  touchedBefore: Date,
  userId?: string,
): Promise<string[]> {
  const isOld = lte(uploads.touchedAt, touchedBefore);
  const rows = await db
    .delete(uploads)
    .where(userId === undefined ? isOld : and(isOld, eq(uploads.userId, userId)))
    .returning({ storageKey: uploads.storageKey });
  return rows.map(({ storageKey }) => storageKey);
}

function owned(userId: string, id: string) {
  return and(eq(uploads.userId, userId), eq(uploads.id, id));
}
