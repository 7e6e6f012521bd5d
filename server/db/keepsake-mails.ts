import { asc, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Queryable } from './open.ts';
import { users } from './schema.ts';

/**
 * People whose yearly email is due, the longest due first. Their next one is due in a year. Another
 * transaction doesn't get them meanwhile.
 */
export async function claimDueKeepsakes(
  tx: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<{ id: string; email: string }[]> {
  const due = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(lte(users.keepsakeDueAt, now))
    .orderBy(asc(users.keepsakeDueAt))
    .limit(limit)
    .for('update', { skipLocked: true });
  if (due.length === 0) return [];
  const ids = due.map(({ id }) => id);
  await tx
    .update(users)
    .set({ keepsakeDueAt: inAYear(now) })
    .where(inArray(users.id, ids));
  return due;
}

/** Asks for the email once a year from then on, unless it is asked for already; null for never. */
export async function setKeepsakeFrom(
  db: Queryable,
  userId: string,
  from: Date | null,
): Promise<void> {
  const due = from && sql`coalesce(${users.keepsakeDueAt}, ${inAYear(from)})`;
  await db.update(users).set({ keepsakeDueAt: due }).where(eq(users.id, userId));
}

function inAYear(from: Date) {
  return sql`${from.toISOString()}::timestamptz + interval '1 year'`;
}
