import { and, count, desc, eq, exists, lte, ne, not, notInArray, sql } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { prepared } from '../prepared.ts';
import { anyRow } from '../rows.ts';
import { capsuleRecipients, capsules, isUnseen, users } from '../schema.ts';

/**
 * Capsules that have opened for a recipient who has not looked at them, last opened first. Putting
 * a capsule away before its day does not take it out, putting it away afterwards does.
 */
export async function findReady(db: Queryable, userId: string, now: Date, limit: number) {
  const { rows, total } = ready(db);
  const values = { userId, now: now.toISOString() };
  const [found, [counted]] = await Promise.all([
    rows.execute({ ...values, limit }),
    total.execute(values),
  ]);
  return { rows: found, total: counted?.total ?? 0 };
}

const ready = prepared((db) => {
  // A list apart, so that the others are counted in their index.
  const putAwayAfterwards = sql`(select capsule_id from capsule_recipients
    where user_id = ${sql.placeholder('userId')} and hidden and (blocked or hidden_at >= unlock_at))`;
  const where = and(
    eq(capsuleRecipients.userId, sql.placeholder('userId')),
    lte(capsuleRecipients.unlockAt, sql`${sql.placeholder('now')}::timestamptz`),
    isUnseen(capsuleRecipients),
    notInArray(capsuleRecipients.capsuleId, putAwayAfterwards),
  );
  const rows = db
    .select({
      id: capsules.id,
      title: capsules.title,
      senderId: capsules.creatorId,
      senderName: sql<string>`coalesce(${users.name}, ${capsules.departedCreator}, '')`,
      createdAt: capsules.createdAt,
      unlockAt: capsules.unlockAt,
      dateToUnlock: capsules.dateToUnlock,
    })
    .from(capsuleRecipients)
    .innerJoin(capsules, eq(capsules.id, capsuleRecipients.capsuleId))
    .leftJoin(users, eq(users.id, capsules.creatorId))
    .where(where)
    .orderBy(desc(capsuleRecipients.unlockAt), desc(capsuleRecipients.capsuleId))
    .limit(sql.placeholder('limit'));
  const total = db.select({ total: count() }).from(capsuleRecipients).where(where);
  return { rows: rows.prepare('ready'), total: total.prepare('ready_total') };
});

/**
 * Notes when a recipient first looked at an opened capsule.
 * @returns whether it counts as seen; null when they do not receive it
 */
export async function noteSeen(
  db: Queryable,
  { userId, id, now }: { userId: string; id: string; now: Date },
): Promise<boolean | null> {
  const own = placeOf(userId, id);
  await db
    .update(capsuleRecipients)
    .set({ seenAt: now })
    .where(and(own, lte(capsuleRecipients.unlockAt, now), isUnseen(capsuleRecipients)));
  const [row] = await db
    .select({ unseen: sql<boolean>`${isUnseen(capsuleRecipients)}` })
    .from(capsuleRecipients)
    .where(own);
  return row ? !row.unseen : null;
}

/** Their place in a capsule, unless it came from somebody they have blocked. */
const placeOf = (userId: string, id: string) =>
  and(
    eq(capsuleRecipients.capsuleId, id),
    eq(capsuleRecipients.userId, userId),
    not(capsuleRecipients.blocked),
  );

interface ReadAnswer {
  userId: string;
  id: string;
  now: Date;
  /** The day to tell the creator; null to tell nothing. */
  day: string | null;
}

/**
 * Notes whether the creator of an opened capsule learns that a recipient has read it. The first day
 * that was told stays.
 * @returns the day that the creator sees; undefined when the person has received no such capsule
 */
export async function noteReadAnswer(
  db: Queryable,
  { userId, id, now, day }: ReadAnswer,
): Promise<string | null | undefined> {
  const { unlockAt, toldOpenedOn } = capsuleRecipients;
  const own = placeOf(userId, id);
  // Nobody is told of a letter to oneself, nor where the creator has left.
  const ofAnother = exists(
    anyRow(db, capsules, and(eq(capsules.id, id), ne(capsules.creatorId, userId))),
  );
  await db
    .update(capsuleRecipients)
    .set({
      readAnsweredAt: now,
      toldOpenedOn: day === null ? null : sql`coalesce(${toldOpenedOn}, ${day}::date)`,
    })
    .where(and(own, lte(unlockAt, now), ofAnother));
  const [row] = await db.select({ openedOn: toldOpenedOn }).from(capsuleRecipients).where(own);
  return row?.openedOn;
}
