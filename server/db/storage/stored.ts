import { and, asc, eq, gt, isNotNull, type SQLWrapper, sql } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { capsuleFiles, capsules, uploads, users } from '../schema.ts';
import { releaseFiles } from './pending-files.ts';

/** A stored file according to its row. */
export interface StoredRow {
  storageKey: string;
  kind: 'file' | 'avatar' | 'upload';
  /** Whose it is. Null when the creator of its capsule has deleted their account. */
  userId: string | null;
  /** Person, capsule and name for an operator. What a locked capsule holds has no name here either. */
  owner: string;
  /** The operator has accepted that it is lost. */
  isLost: boolean;
  /** Null if the row does not have it. */
  bytes: number | null;
  /** Lower-case hex; null where the row does not say. */
  sha256: string | null;
}

const AT_ONCE = 500;

const fileOwner = (now: Date) => sql<string>`
  coalesce(${users.email}, 'somebody who has left') || ', capsule ' || ${capsuleFiles.capsuleId} ||
  case when ${capsules.unlockAt} <= ${sql.param(now, capsules.unlockAt)}
    then ', "' || ${capsuleFiles.name} || '"' else ', file ' || (${capsuleFiles.position} + 1) end`;

const SOURCES = [
  (db: Queryable, after: string, now: Date) =>
    db
      .select({
        storageKey: capsuleFiles.storageKey,
        kind: sql<'file'>`'file'`,
        userId: capsules.creatorId,
        owner: fileOwner(now),
        isLost: sql<boolean>`${capsuleFiles.lostAt} is not null`,
        bytes: capsuleFiles.bytes,
        sha256: capsuleFiles.sha256,
      })
      .from(capsuleFiles)
      .innerJoin(capsules, eq(capsules.id, capsuleFiles.capsuleId))
      .leftJoin(users, eq(users.id, capsules.creatorId))
      .where(gt(capsuleFiles.storageKey, after))
      .orderBy(asc(capsuleFiles.storageKey))
      .limit(AT_ONCE),
  (db: Queryable, after: string) =>
    db
      .select({
        storageKey: sql<string>`${users.avatarKey}`,
        kind: sql<'avatar'>`'avatar'`,
        userId: users.id,
        owner: sql<string>`${users.email} || ', profile picture'`,
        isLost: sql<boolean>`false`,
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
        kind: sql<'upload'>`'upload'`,
        userId: uploads.userId,
        owner: sql<string>`${users.email} || ', upload ' || ${uploads.id}`,
        isLost: sql<boolean>`false`,
        bytes: uploads.bytes,
        sha256: uploads.sha256,
      })
      .from(uploads)
      .innerJoin(users, eq(users.id, uploads.userId))
      .where(and(isNotNull(uploads.sha256), gt(uploads.storageKey, after)))
      .orderBy(asc(uploads.storageKey))
      .limit(AT_ONCE),
];

/** Every row that names a stored file, read page by page. @param now what is open then has a name */
export async function* eachStored(db: Queryable, now: Date): AsyncGenerator<StoredRow> {
  for (const source of SOURCES) {
    for (let after = ''; ; ) {
      const rows: StoredRow[] = await source(db, after, now);
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < AT_ONCE) break;
      after = last.storageKey;
    }
  }
}

/**
 * The operator accepts that these are lost: a capsule says so of its file, a person has no picture,
 * and an upload begins again.
 */
export async function setLost(tx: Queryable, rows: StoredRow[], now: Date): Promise<void> {
  const keysOf = (kind: StoredRow['kind']) =>
    rows.filter((row) => row.kind === kind).map(({ storageKey }) => storageKey);
  const files = isAmong(capsuleFiles.storageKey, keysOf('file'));
  await tx.update(capsuleFiles).set({ lostAt: now }).where(files);
  const avatars = keysOf('avatar');
  await tx.update(users).set({ avatarKey: null }).where(isAmong(users.avatarKey, avatars));
  // A capsule may have taken one over meanwhile.
  const gone = await tx
    .delete(uploads)
    .where(isAmong(uploads.storageKey, keysOf('upload')))
    .returning({ storageKey: uploads.storageKey });
  await releaseFiles(tx, [...avatars, ...gone.map(({ storageKey }) => storageKey)]);
}

/** Any number of keys. */
const isAmong = (column: SQLWrapper, keys: string[]) =>
  sql`${column} = any(${sql.param(keys)}::text[])`;

/** Whether a row names this file. One statement, because sealing moves it from one table to another. */
export async function isNamed(db: Queryable, storageKey: string): Promise<boolean> {
  const [row] = await db.execute<{ named: boolean }>(sql`
    select exists (select 1 from capsule_files where storage_key = ${storageKey})
      or exists (select 1 from users where avatar_key = ${storageKey})
      or exists (select 1 from uploads where storage_key = ${storageKey}) as named`);
  return row?.named === true;
}
