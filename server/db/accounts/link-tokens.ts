import { and, eq, gt, isNotNull, not, or, sql } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { emailVerifications, resetLinks, users } from '../schema.ts';
import { isInvited, lockUser } from './users.ts';

interface NewLinkToken {
  userId: string;
  tokenHash: string;
  expiresAt: Date;
}

/**
 * Stores a reset link. It replaces those that the same client asked for. The person's others stay.
 */
export async function putPasswordReset(
  db: Queryable,
  row: NewLinkToken & { requestedBy: string; sentTo: string | null },
): Promise<void> {
  const { userId, requestedBy } = row;
  await db
    .delete(resetLinks)
    .where(and(eq(resetLinks.userId, userId), eq(resetLinks.requestedBy, requestedBy)));
  await db.insert(resetLinks).values(row);
}

export async function findPasswordResetUser(
  db: Queryable,
  tokenHash: string,
  now: Date,
): Promise<string | null> {
  const [row] = await db
    .select({ userId: resetLinks.userId })
    .from(resetLinks)
    .where(and(eq(resetLinks.tokenHash, tokenHash), gt(resetLinks.expiresAt, now)));
  return row?.userId ?? null;
}

export interface UsedReset {
  userId: string;
  /** Which of the person's addresses the link was emailed to. Null for the main one. */
  sentTo: string | null;
}

/**
 * Uses a reset link, once, and deletes the person's others. The person is locked first: otherwise
 * two callers with different links could wait for each other.
 */
export async function takePasswordReset(
  tx: Queryable,
  tokenHash: string,
  now: Date,
): Promise<UsedReset | null> {
  const userId = await findPasswordResetUser(tx, tokenHash, now);
  if (!userId || !(await lockUser(tx, userId))) return null;
  const gone = await tx.delete(resetLinks).where(eq(resetLinks.userId, userId)).returning();
  return gone.find((link) => link.tokenHash === tokenHash) ?? null;
}

export async function deletePasswordResets(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(resetLinks).where(eq(resetLinks.userId, userId));
}

/** Stores a verification link. It replaces the person's older one. */
export async function putEmailVerification(db: Queryable, row: NewLinkToken): Promise<void> {
  await db
    .insert(emailVerifications)
    .values(row)
    .onConflictDoUpdate({ target: emailVerifications.userId, set: row });
}

export async function findEmailVerificationUser(
  db: Queryable,
  tokenHash: string,
  now: Date,
): Promise<string | null> {
  const [row] = await db
    .select({ userId: emailVerifications.userId })
    .from(emailVerifications)
    .where(and(eq(emailVerifications.tokenHash, tokenHash), gt(emailVerifications.expiresAt, now)));
  return row?.userId ?? null;
}

/**
 * Notes that the main address is confirmed. The time of an earlier confirmation stays. The caller
 * has locked the person, so that nobody can invite them meanwhile. @returns false for somebody who
 * is invited and not confirmed: the password may be somebody else's
 */
export async function setEmailVerified(tx: Queryable, userId: string, now: Date): Promise<boolean> {
  const verified = await tx
    .update(users)
    .set({ emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${now.toISOString()})` })
    .where(and(eq(users.id, userId), or(isNotNull(users.emailVerifiedAt), not(isInvited()))))
    .returning({ id: users.id });
  return verified.length > 0;
}
