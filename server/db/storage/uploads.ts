import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../open.ts';
import { capsuleFiles, uploads } from '../schema.ts';
import { releaseFiles } from './pending-files.ts';

export type UploadRow = typeof uploads.$inferSelect;

/** @returns false if the id is taken */
export async function insertUpload(tx: Queryable, row: typeof uploads.$inferInsert) {
  const changed = await tx.insert(uploads).values(row).onConflictDoNothing();
  return changed.count > 0;
}

/**
 * Whose uploads they are: a person's own, or those of a contribution to a draft of theirs. Neither
 * reaches the others'.
 */
export interface UploadOwner {
  userId: string;
  contributionId?: string;
}

function ownedBy({ userId, contributionId }: UploadOwner) {
  return and(
    eq(uploads.userId, userId),
    contributionId === undefined
      ? isNull(uploads.contributionId)
      : eq(uploads.contributionId, contributionId),
  );
}

export async function findUpload(
  db: Queryable,
  owner: UploadOwner,
  id: string,
): Promise<UploadRow | undefined> {
  const [row] = await findUploads(db, owner, [id]);
  return row;
}

export function findUploads(
  db: Queryable,
  owner: UploadOwner,
  ids: string[],
): Promise<UploadRow[]> {
  return db
    .select()
    .from(uploads)
    .where(and(ownedBy(owner), inArray(uploads.id, ids)));
}

/** Moves the offset if nobody else has moved it. @returns false otherwise */
export async function setReceived(
  db: Queryable,
  { id, from, to }: { id: string; from: number; to: number },
  now: Date,
): Promise<boolean> {
  const changed = await db
    .update(uploads)
    .set({ received: to, touchedAt: now })
    .where(and(eq(uploads.id, id), eq(uploads.received, from), isNull(uploads.sha256)));
  return changed.count > 0;
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
  owner: UploadOwner,
  ids: string[],
): Promise<UploadRow[]> {
  if (ids.length === 0) return [];
  return tx
    .delete(uploads)
    .where(and(ownedBy(owner), inArray(uploads.id, ids)))
    .returning();
}

export function countUploads(db: Queryable, owner: UploadOwner): Promise<number> {
  return db.$count(uploads, ownedBy(owner));
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

/** Whether the draft that it belongs to is gone. Null where there is none. */
const draftIsGone = sql`(select d.gone is not null from drafts d
  where d.user_id = uploads.user_id and d.id = uploads.draft_id)`;

/** Deletes uploads that nobody has continued since then, and that no draft keeps. @returns how many */
export function deleteAbandonedUploads(db: Database, touchedBefore: Date): Promise<number> {
  return deleteWhere(db, isAbandoned(touchedBefore));
}

/** Whether the contribution that it is for was removed. Null where it is for none. */
const partIsRemoved = sql`(select a.removed_at is not null from contributions a
  where a.id = uploads.contribution_id)`;

/** The same for one person, and with all that drafts have left which are gone, and removed contributions. */
export function deleteDispensableUploads(
  db: Database,
  userId: string,
  touchedBefore: Date,
): Promise<number> {
  const isDispensable = or(isAbandoned(touchedBefore), draftIsGone, partIsRemoved);
  return deleteWhere(db, and(eq(uploads.userId, userId), isDispensable));
}

function isAbandoned(touchedBefore: Date) {
  return and(lte(uploads.touchedAt, touchedBefore), sql`${draftIsGone} is not false`);
}

function deleteWhere(db: Database, condition: SQL | undefined): Promise<number> {
  return db.transaction(async (tx) => {
    const gone = await tx
      .delete(uploads)
      .where(condition)
      .returning({ storageKey: uploads.storageKey });
    await releaseFiles(
      tx,
      gone.map(({ storageKey }) => storageKey),
    );
    return gone.length;
  });
}

type OfDraft = { userId: string; draftId: string };

/** Makes these the uploads of a draft, and no others. Unknown ones are left out. */
export async function nameUploads(
  tx: Queryable,
  { userId, draftId }: OfDraft,
  ids: string[],
): Promise<void> {
  const isNamed = sql`${uploads.id} = any(${sql.param(ids)}::uuid[])`;
  const wanted = sql`case when ${isNamed} then ${draftId}::uuid end`;
  await tx
    .update(uploads)
    .set({ draftId: wanted })
    .where(
      and(
        ownedBy({ userId }),
        or(isNamed, eq(uploads.draftId, draftId)),
        sql`${uploads.draftId} is distinct from ${wanted}`,
      ),
    );
}

/** Lets the time begin in which the uploads of a draft are kept although it is gone. */
export async function touchUploads(
  tx: Queryable,
  { userId, draftId }: OfDraft,
  now: Date,
): Promise<void> {
  await tx
    .update(uploads)
    .set({ touchedAt: now })
    .where(and(eq(uploads.userId, userId), eq(uploads.draftId, draftId)));
}

/** Of these drafts, the uploads whose bytes have all arrived. */
export function findArrived(
  db: Queryable,
  userId: string,
  draftIds: string[],
): Promise<UploadRow[]> {
  return db
    .select()
    .from(uploads)
    .where(
      and(
        ownedBy({ userId }),
        inArray(uploads.draftId, draftIds),
        eq(uploads.received, uploads.bytes),
      ),
    );
}
