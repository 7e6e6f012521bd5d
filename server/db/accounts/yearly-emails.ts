import { and, asc, count, eq, gt, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import type { Queryable } from '../open.ts';
import { capsuleRecipients, capsules, emails, sendings, users } from '../schema.ts';
import { hasPassword } from './users.ts';

/**
 * Takes people whose yearly email is due, the longest due first, and makes their next one due in a
 * year. Other transactions skip them meanwhile.
 */
export async function claimDueYearly(
  tx: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<{ id: string; secondEmail: string | null; emailBouncedAt: Date | null }[]> {
  const due = await tx
    .select({
      id: users.id,
      secondEmail: users.secondEmail,
      emailBouncedAt: users.emailBouncedAt,
    })
    .from(users)
    .where(and(lte(users.addressCheckDueAt, now), hasPassword()))
    .orderBy(asc(users.addressCheckDueAt))
    .limit(limit)
    .for('update', { skipLocked: true });
  if (due.length === 0) return [];
  const ids = due.map(({ id }) => id);
  await tx
    .update(users)
    .set({ addressCheckDueAt: inAYear(now) })
    .where(inArray(users.id, ids));
  return due;
}

/**
 * Chooses when people who have no day for it yet are first asked about their address: a year after
 * they came, or some day within a year for those who came long ago, so that not all are asked at
 * once.
 * @returns how many people, at most `limit`
 */
export async function chooseAddressChecks(
  tx: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const some = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(isNull(users.addressCheckDueAt), hasPassword()))
    .limit(limit)
    .for('update', { skipLocked: true });
  if (some.length === 0) return 0;
  const anyTime = sql`${now.toISOString()}::timestamptz + random() * interval '1 year'`;
  await tx
    .update(users)
    .set({
      addressCheckDueAt: sql`greatest(${users.createdAt} + interval '1 year', ${anyTime})`,
    })
    .where(
      inArray(
        users.id,
        some.map(({ id }) => id),
      ),
    );
  return some.length;
}

/**
 * Lets no yearly email be due later than in a year. A clock that was ahead may have put them off
 * for many years. The job chooses another day, so that not all are asked at once.
 */
export async function endYearlyWaits(tx: Queryable, now: Date): Promise<void> {
  await tx
    .update(users)
    .set({ addressCheckDueAt: null })
    .where(gt(users.addressCheckDueAt, inAYear(now)));
}

/**
 * Notes that the main address is still the person's. They are asked again in a year, and emails go
 * there again.
 */
export async function noteAddressWorks(
  tx: Queryable,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> {
  const people = await tx
    .update(users)
    .set({ addressCheckDueAt: inAYear(now), emailBouncedAt: null })
    .where(and(eq(users.id, userId), eq(users.email, email)))
    .returning({ id: users.id });
  if (people.length > 0) await endAddressCheck(tx, userId);
}

/** Deletes the question about the main address that still waits to be sent to the second one. */
export function endAddressCheck(tx: Queryable, userId: string) {
  const asked = tx
    .select({ id: emails.id })
    .from(emails)
    .where(and(eq(emails.userId, userId), eq(emails.kind, 'address-check')));
  return tx
    .delete(sendings)
    .where(
      and(inArray(sendings.emailId, asked), eq(sendings.slot, 'second'), isNull(sendings.outcome)),
    )
    .returning({ id: sendings.id });
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

function inAYear(from: Date): SQL<Date> {
  return sql`${from.toISOString()}::timestamptz + interval '1 year'`;
}
