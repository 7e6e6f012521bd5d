import { and, eq, lte } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { addressLinks, pendingPasswords } from '../schema.ts';

export type PendingPassword = typeof pendingPasswords.$inferSelect;

export async function findPendingPassword(
  db: Queryable,
  userId: string,
): Promise<PendingPassword | undefined> {
  const [row] = await db.select().from(pendingPasswords).where(eq(pendingPasswords.userId, userId));
  return row;
}

/** Replaces an earlier one, about which nobody can answer any more. */
export async function putPendingPassword(tx: Queryable, row: PendingPassword): Promise<void> {
  await deletePendingPassword(tx, row.userId);
  await tx.insert(pendingPasswords).values(row);
}

/** With the links about it. */
export async function deletePendingPassword(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(pendingPasswords).where(eq(pendingPasswords.userId, userId));
  await deleteAnswerLinks(tx, userId);
}

/** Takes the one of this person that counts by now. */
export async function takeDuePassword(
  tx: Queryable,
  userId: string,
  now: Date,
): Promise<PendingPassword | undefined> {
  const [row] = await tx
    .delete(pendingPasswords)
    .where(and(eq(pendingPasswords.userId, userId), lte(pendingPasswords.countsFrom, now)))
    .returning();
  return row;
}

async function deleteAnswerLinks(tx: Queryable, userId: string): Promise<void> {
  await tx
    .delete(addressLinks)
    .where(and(eq(addressLinks.userId, userId), eq(addressLinks.does, 'answer-password')));
}
