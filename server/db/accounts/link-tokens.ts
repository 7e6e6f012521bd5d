import { and, eq, gt, isNotNull, not, or, sql } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { emailVerifications, resetLinks, users } from '../schema.ts';
import { isInvited, lockUser } from './users.ts';

interface NewLinkToken {
  userId: string;
  tokenHash: string;
  expiresAt: Date;
}

/** Replaces those that the same client asked for, and leaves the person's others as they are. */
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
 * Uses a token, once, and deletes the person's others with it. Those who use several of them at once
 * take turns by the person's lock, or they would wait for each other's rows.
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

/** One a person: the new token replaces the older one. */
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
 * Does not change the time of an earlier verification. The caller has locked the person, as whoever is
 * inviting them in this moment does. @returns false for somebody who is invited
 * and not verified: whoever chose the password may be somebody else
 */
export async function setEmailVerified(tx: Queryable, userId: string, now: Date): Promise<boolean> {
  const verified = await tx
    .update(users)
    .set({ emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${now.toISOString()})` })
    .where(and(eq(users.id, userId), or(isNotNull(users.emailVerifiedAt), not(isInvited()))))
    .returning({ id: users.id });
  return verified.length > 0;
}
