import { and, asc, eq, lte } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { pendingPasswords, users } from '../schema.ts';
import { deleteLinks } from './link-tokens.ts';
import { ACCOUNT_COLUMNS } from './users.ts';

export type PendingPassword = typeof pendingPasswords.$inferSelect;

export async function findPendingPassword(
  db: Queryable,
  userId: string,
): Promise<PendingPassword | undefined> {
  const [row] = await db.select().from(pendingPasswords).where(eq(pendingPasswords.userId, userId));
  return row;
}

/**
 * Stores a pending password. It replaces an earlier one, together with the links that answer for
 * that.
 */
export async function putPendingPassword(tx: Queryable, row: PendingPassword): Promise<void> {
  await deletePendingPassword(tx, row.userId);
  await tx.insert(pendingPasswords).values(row);
}

/** Deletes a pending password, and the links that answer for it. */
export async function deletePendingPassword(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(pendingPasswords).where(eq(pendingPasswords.userId, userId));
  await deleteLinks(tx, userId, 'answer-password');
}

/**
 * Locks somebody whose pending password takes effect by now, the longest due first. People whom
 * another transaction has locked are skipped, and found again by the next pass.
 */
export async function lockUserWithDuePassword(tx: Queryable, now: Date) {
  const [row] = await tx
    .select(ACCOUNT_COLUMNS)
    .from(users)
    .innerJoin(pendingPasswords, eq(pendingPasswords.userId, users.id))
    .where(lte(pendingPasswords.takesEffectAt, now))
    .orderBy(asc(pendingPasswords.takesEffectAt))
    .limit(1)
    .for('no key update', { of: users, skipLocked: true });
  return row;
}

/** Takes the pending password of this person that takes effect by now. */
export async function takeDuePassword(
  tx: Queryable,
  userId: string,
  now: Date,
): Promise<PendingPassword | undefined> {
  const [row] = await tx
    .delete(pendingPasswords)
    .where(and(eq(pendingPasswords.userId, userId), lte(pendingPasswords.takesEffectAt, now)))
    .returning();
  return row;
}
