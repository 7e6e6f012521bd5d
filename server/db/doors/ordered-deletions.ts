import { and, asc, eq, lte, notInArray } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { orderedDeletions } from '../schema.ts';

/** Owns `ordered_deletions`: accounts that an operator deletes. */

export type OrderedDeletion = typeof orderedDeletions.$inferSelect;

/** @returns false if one is ordered already */
export async function orderDeletion(tx: Queryable, row: OrderedDeletion): Promise<boolean> {
  const rows = await tx
    .insert(orderedDeletions)
    .values(row)
    .onConflictDoNothing()
    .returning({ userId: orderedDeletions.userId });
  return rows.length > 0;
}

/** @returns false if none was ordered */
export async function withdrawDeletion(tx: Queryable, userId: string): Promise<boolean> {
  const rows = await tx
    .delete(orderedDeletions)
    .where(eq(orderedDeletions.userId, userId))
    .returning({ userId: orderedDeletions.userId });
  return rows.length > 0;
}

export async function findDeletionOf(
  db: Queryable,
  userId: string,
): Promise<OrderedDeletion | undefined> {
  const [row] = await db.select().from(orderedDeletions).where(eq(orderedDeletions.userId, userId));
  return row;
}

/** The one that has been due for longest. */
export async function findDueDeletion(
  db: Queryable,
  { now, except }: { now: Date; except: string[] },
): Promise<OrderedDeletion | undefined> {
  const isOther = except.length > 0 ? notInArray(orderedDeletions.userId, except) : undefined;
  const [row] = await db
    .select()
    .from(orderedDeletions)
    .where(and(lte(orderedDeletions.dueAt, now), isOther))
    .orderBy(asc(orderedDeletions.dueAt))
    .limit(1);
  return row;
}
