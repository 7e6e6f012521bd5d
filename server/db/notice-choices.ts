import { eq, sql } from 'drizzle-orm';
import { NOTICE_KINDS } from './notices.ts';
import type { Queryable } from './open.ts';
import { serverState, users } from './schema.ts';

/** The kinds of email that a link in them turns off. */
export const TURN_OFF_KINDS = [...NOTICE_KINDS, 'keepsake'] as const;
type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The kinds of notices a person has turned off, and when their yearly email is due. */
export async function findChoices(
  db: Queryable,
  userId: string,
): Promise<{ unwanted: string[]; keepsakeDueAt: Date | null }> {
  const [row] = await db
    .select({ unwanted: users.unwantedNotices, keepsakeDueAt: users.keepsakeDueAt })
    .from(users)
    .where(eq(users.id, userId));
  return row ?? { unwanted: [], keepsakeDueAt: null };
}

export async function setWanted(
  db: Queryable,
  userId: string,
  { kind, isWanted }: { kind: NoticeKind; isWanted: boolean },
): Promise<void> {
  const others = sql`array_remove(${users.unwantedNotices}, ${kind})`;
  await db
    .update(users)
    .set({ unwantedNotices: isWanted ? others : sql`array_append(${others}, ${kind})` })
    .where(eq(users.id, userId));
}

/**
 * The key that signs links which turn notices off. It is kept, since an email may be read decades
 * later. @param fresh becomes the key if there is none
 */
export async function findNoticeLinkKey(db: Queryable, fresh: string): Promise<string> {
  const [known] = await db.select({ key: serverState.noticeLinkKey }).from(serverState);
  if (known?.key) return known.key;
  const [row] = await db
    .update(serverState)
    .set({ noticeLinkKey: sql`coalesce(${serverState.noticeLinkKey}, ${fresh})` })
    .returning({ key: serverState.noticeLinkKey });
  if (!row?.key) throw new Error('The server has not been started on this database yet.');
  return row.key;
}
