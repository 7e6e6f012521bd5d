import { and, asc, count, desc, eq, exists, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { CapsuleType } from '../../shared/api/capsules.ts';
import { containsPattern } from './like.ts';
import type { Queryable } from './open.ts';
import { capsuleFiles, capsuleRecipients, capsules, users } from './schema.ts';

export type FileRow = typeof capsuleFiles.$inferSelect;

/** What can be seen of a capsule at any time. Its contents are never read together with it. */
const OUTSIDE_COLUMNS = {
  id: capsules.id,
  creatorId: capsules.creatorId,
  title: capsules.title,
  description: capsules.description,
  dateToUnlock: capsules.dateToUnlock,
  timeZone: capsules.timeZone,
  unlockAt: capsules.unlockAt,
  mediaCount: capsules.mediaCount,
  createdAt: capsules.createdAt,
  senderName: sql<string>`coalesce(${users.name}, ${capsules.departedCreator}, '')`,
  senderEmail: sql<string>`coalesce(${users.email}, '')`,
  recipientEmails: sql<string[]>`array(
    select u.email from capsule_recipients r join users u on u.id = r.user_id
    where r.capsule_id = ${capsules.id} order by r.position)`,
};

export interface CapsuleRow {
  id: string;
  /** Null when the creator has deleted their account. */
  creatorId: string | null;
  title: string;
  description: string;
  dateToUnlock: string;
  timeZone: string;
  unlockAt: Date;
  mediaCount: number;
  createdAt: Date;
  senderName: string;
  senderEmail: string;
  recipientEmails: string[];
}

/** What is inside. Ask for it only after the lock has been asked. */
export interface CapsuleContents {
  personalMessage: string;
  files: FileRow[];
}

export async function findCapsulePage(
  db: Queryable,
  userId: string,
  type: CapsuleType,
  page: { offset: number; limit: number; text?: string | undefined },
): Promise<{ rows: CapsuleRow[]; total: number }> {
  const mine =
    type === 'created' ? eq(capsules.creatorId, userId) : eq(capsuleRecipients.userId, userId);
  const where = and(mine, page.text ? contains(page.text) : undefined);
  return type === 'created'
    ? await both(
        db
          .select(OUTSIDE_COLUMNS)
          .from(capsules)
          .leftJoin(users, eq(users.id, capsules.creatorId))
          .where(where)
          .orderBy(desc(capsules.createdAt), desc(capsules.id))
          .offset(page.offset)
          .limit(page.limit),
        page.text
          ? db
              .select({ total: count() })
              .from(capsules)
              .leftJoin(users, eq(users.id, capsules.creatorId))
              .where(where)
          : db.select({ total: count() }).from(capsules).where(where),
      )
    : await both(
        db
          .select(OUTSIDE_COLUMNS)
          .from(capsuleRecipients)
          .innerJoin(capsules, eq(capsules.id, capsuleRecipients.capsuleId))
          .leftJoin(users, eq(users.id, capsules.creatorId))
          .where(where)
          .orderBy(desc(capsuleRecipients.createdAt), desc(capsuleRecipients.capsuleId))
          .offset(page.offset)
          .limit(page.limit),
        page.text
          ? db
              .select({ total: count() })
              .from(capsuleRecipients)
              .innerJoin(capsules, eq(capsules.id, capsuleRecipients.capsuleId))
              .leftJoin(users, eq(users.id, capsules.creatorId))
              .where(where)
          : db.select({ total: count() }).from(capsuleRecipients).where(where),
      );
}

async function both(rows: PromiseLike<CapsuleRow[]>, totals: PromiseLike<{ total: number }[]>) {
  const [found, [counted]] = await Promise.all([rows, totals]);
  return { rows: found, total: counted?.total ?? 0 };
}

/** Title, description, sender and recipients. The message is not searched: it may still be locked. */
function contains(text: string): SQL | undefined {
  const pattern = containsPattern(text);
  return or(
    sql`${capsules.title} ilike ${pattern}`,
    sql`${capsules.description} ilike ${pattern}`,
    sql`${users.name} ilike ${pattern}`,
    sql`${users.email} ilike ${pattern}`,
    sql`exists (
      select 1 from capsule_recipients r join users u on u.id = r.user_id
      where r.capsule_id = ${capsules.id} and (u.name ilike ${pattern} or u.email ilike ${pattern}))`,
  );
}

/** The capsule, if this person created or receives it. To everybody else it does not exist. */
export async function findVisibleCapsule(
  db: Queryable,
  userId: string,
  id: string,
): Promise<CapsuleRow | undefined> {
  const [row] = await db
    .select(OUTSIDE_COLUMNS)
    .from(capsules)
    .leftJoin(users, eq(users.id, capsules.creatorId))
    .where(and(eq(capsules.id, id), or(eq(capsules.creatorId, userId), receivedBy(db, userId))));
  return row;
}

function receivedBy(db: Queryable, userId: string): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(capsuleRecipients)
      .where(
        and(eq(capsuleRecipients.capsuleId, capsules.id), eq(capsuleRecipients.userId, userId)),
      ),
  );
}

export async function findContents(
  db: Queryable,
  capsuleIds: string[],
): Promise<Map<string, CapsuleContents>> {
  if (capsuleIds.length === 0) return new Map();
  const [messages, files] = await Promise.all([
    db
      .select({ id: capsules.id, personalMessage: capsules.personalMessage })
      .from(capsules)
      .where(inArray(capsules.id, capsuleIds)),
    db
      .select()
      .from(capsuleFiles)
      .where(inArray(capsuleFiles.capsuleId, capsuleIds))
      .orderBy(asc(capsuleFiles.capsuleId), asc(capsuleFiles.position)),
  ]);
  return new Map(
    messages.map(({ id, personalMessage }) => [
      id,
      { personalMessage, files: files.filter((file) => file.capsuleId === id) },
    ]),
  );
}

export async function findFile(db: Queryable, fileId: string): Promise<FileRow | undefined> {
  const [row] = await db.select().from(capsuleFiles).where(eq(capsuleFiles.id, fileId));
  return row;
}

export async function insertCapsule(
  tx: Queryable,
  capsule: typeof capsules.$inferInsert,
  recipientIds: string[],
  files: (typeof capsuleFiles.$inferInsert)[],
): Promise<void> {
  await tx.insert(capsules).values(capsule);
  await tx.insert(capsuleRecipients).values(
    recipientIds.map((userId, position) => ({
      capsuleId: capsule.id,
      userId,
      position,
      createdAt: capsule.createdAt,
      unlockAt: capsule.unlockAt,
    })),
  );
  if (files.length > 0) await tx.insert(capsuleFiles).values(files);
}

/** Removes the creator's capsule. @returns its storage keys, or null when there was none to remove. */
export async function removeCapsule(
  tx: Queryable,
  creatorId: string,
  id: string,
): Promise<string[] | null> {
  // Locked first: a file row that is being read for its key cannot be replaced meanwhile.
  const [found] = await tx
    .select({ id: capsules.id })
    .from(capsules)
    .where(and(eq(capsules.id, id), eq(capsules.creatorId, creatorId)))
    .for('update');
  if (!found) return null;
  const files = await tx
    .select({ storageKey: capsuleFiles.storageKey })
    .from(capsuleFiles)
    .where(eq(capsuleFiles.capsuleId, id));
  await tx.delete(capsules).where(eq(capsules.id, id));
  return files.map((file) => file.storageKey);
}

/** Bytes of all files in capsules this person created. */
export async function sumBytes(db: Queryable, creatorId: string): Promise<number> {
  const [row] = await db
    .select({ total: sql<string>`coalesce(sum(${capsules.totalBytes}), 0)` })
    .from(capsules)
    .where(eq(capsules.creatorId, creatorId));
  return Number(row?.total ?? 0);
}

/** How many capsules a person created and received, for the public profile. */
export async function countCapsules(db: Queryable, userId: string) {
  const [[created], [received]] = await Promise.all([
    db.select({ total: count() }).from(capsules).where(eq(capsules.creatorId, userId)),
    db
      .select({ total: count() })
      .from(capsuleRecipients)
      .where(eq(capsuleRecipients.userId, userId)),
  ]);
  return { created: created?.total ?? 0, received: received?.total ?? 0 };
}
