import { and, asc, count, eq, gt, inArray, sql } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import type { Queryable } from '../open.ts';
import { capsuleRecipients, capsules, users } from '../schema.ts';
import { hasPassword } from './users.ts';

/** When somebody was last asked, as its index has it. */
const askedAt = sql`coalesce(${users.addressAskedAt}, ${users.createdAt})`;

/**
 * Takes people whose yearly email is due, the longest due first, and notes that they are asked now.
 * Other transactions skip them meanwhile.
 */
export async function claimDueYearly(
  tx: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<{ id: string }[]> {
  const aYearAgo = sql`${now.toISOString()}::timestamptz - interval '1 year'`;
  const due = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(sql`${askedAt} <= ${aYearAgo}`, hasPassword()))
    .orderBy(asc(askedAt))
    .limit(limit)
    .for('update', { skipLocked: true });
  const ids = due.map((one) => one.id);
  await tx.update(users).set({ addressAskedAt: now }).where(inArray(users.id, ids));
  return due;
}

/**
 * Notes that the main address is still the person's. They are asked again in a year, and emails go
 * there again.
 */
export async function noteAddressWorks(
  tx: Queryable,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> {
  await tx
    .update(users)
    .set({ addressAskedAt: now, emailBouncedAt: null })
    .where(and(eq(users.id, userId), eq(users.email, email)));
}

/**
 * How many sealed capsules each of these people waits for, as their creator or as one of their
 * recipients. People who wait for none are absent.
 */
export async function countWaiting(
  db: Queryable,
  ids: string[],
  now: Date,
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const created = db
    .select({ userId: sql<string>`${capsules.creatorId}`.as('user_id'), capsuleId: capsules.id })
    .from(capsules)
    .where(and(inArray(capsules.creatorId, ids), gt(capsules.unlockAt, now)));
  // A list apart, so that the others are found in an index alone.
  const blocked = db
    .select({ capsuleId: capsuleRecipients.capsuleId, userId: capsuleRecipients.userId })
    .from(capsuleRecipients)
    .where(and(inArray(capsuleRecipients.userId, ids), sql`${capsuleRecipients.blocked}`));
  const received = db
    .select({
      userId: sql<string>`${capsuleRecipients.userId}`.as('user_id'),
      capsuleId: capsuleRecipients.capsuleId,
    })
    .from(capsuleRecipients)
    .where(
      and(
        inArray(capsuleRecipients.userId, ids),
        sql`(${capsuleRecipients.capsuleId}, ${capsuleRecipients.userId}) not in ${blocked}`,
        gt(capsuleRecipients.unlockAt, now),
      ),
    );
  // A letter to oneself is in both, and counts once.
  const waiting = union(created, received).as('waiting');
  const rows = await db
    .select({ userId: waiting.userId, capsules: count() })
    .from(waiting)
    .groupBy(waiting.userId);
  return new Map(rows.map(({ userId, capsules }) => [userId, capsules]));
}
