import { and, asc, gt, isNotNull, ne, sql } from 'drizzle-orm';
import type { Queryable } from './open.ts';
import { capsuleFiles, capsules, uploads, users } from './schema.ts';

/** A stored file according to its row. */
export interface StoredRow {
  storageKey: string;
  /** The owner of the file for an operator: an id, never a name or a title. */
  owner: string;
  /** Null if the row does not have it. */
  bytes: number | null;
  /** Lower-case hex; null where the row does not say. */
  sha256: string | null;
}

const AT_ONCE = 500;

const SOURCES = [
  (db: Queryable, after: string) =>
    db
      .select({
        storageKey: capsuleFiles.storageKey,
        owner: sql<string>`'capsule ' || ${capsuleFiles.capsuleId}`,
        bytes: capsuleFiles.bytes,
        sha256: capsuleFiles.sha256,
      })
      .from(capsuleFiles)
      .where(gt(capsuleFiles.storageKey, after))
      .orderBy(asc(capsuleFiles.storageKey))
      .limit(AT_ONCE),
  (db: Queryable, after: string) =>
    db
      .select({
        storageKey: sql<string>`${users.avatarKey}`,
        owner: sql<string>`'avatar of ' || ${users.id}`,
        bytes: sql<null>`null`,
        sha256: sql<null>`null`,
      })
      .from(users)
      .where(and(isNotNull(users.avatarKey), gt(users.avatarKey, after)))
      .orderBy(asc(users.avatarKey))
      .limit(AT_ONCE),
  (db: Queryable, after: string) =>
    db
      .select({
        storageKey: uploads.storageKey,
        owner: sql<string>`'upload ' || ${uploads.id}`,
        bytes: uploads.bytes,
        sha256: uploads.sha256,
      })
      .from(uploads)
      .where(and(isNotNull(uploads.sha256), gt(uploads.storageKey, after)))
      .orderBy(asc(uploads.storageKey))
      .limit(AT_ONCE),
];

/** Every row that names a stored file, read page by page. */
export async function* eachStored(db: Queryable): AsyncGenerator<StoredRow> {
  for (const source of SOURCES) {
    for (let after = ''; ; ) {
      const rows: StoredRow[] = await source(db, after);
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < AT_ONCE) break;
      after = last.storageKey;
    }
  }
}

/** Ids of capsules whose number or total size of files differs from their file rows. */
export async function findMiscounted(db: Queryable): Promise<string[]> {
  const files = db
    .select({
      capsuleId: capsuleFiles.capsuleId,
      files: sql<number>`count(*)`.as('files'),
      sum: sql<number>`sum(${capsuleFiles.bytes})`.as('sum'),
    })
    .from(capsuleFiles)
    .groupBy(capsuleFiles.capsuleId)
    .as('files');
  const rows = await db
    .select({ id: capsules.id })
    .from(capsules)
    .leftJoin(files, sql`${files.capsuleId} = ${capsules.id}`)
    .where(
      sql`${ne(capsules.mediaCount, sql`coalesce(${files.files}, 0)`)} or ${ne(capsules.totalBytes, sql`coalesce(${files.sum}, 0)`)}`,
    );
  return rows.map(({ id }) => id);
}
