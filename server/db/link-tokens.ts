import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Queryable } from './open.ts';
import { emailVerifications, passwordResets, users } from './schema.ts';

interface NewLinkToken {
  userId: string;
  tokenHash: string;
  expiresAt: Date;
}

/** One a person: the new token replaces the older one. */
export async function putPasswordReset(db: Queryable, row: NewLinkToken): Promise<void> {
  await db
    .insert(passwordResets)
    .values(row)
    .onConflictDoUpdate({ target: passwordResets.userId, set: row });
}

export async function findPasswordResetUser(
  db: Queryable,
  tokenHash: string,
  now: Date,
): Promise<string | null> {
  const [row] = await db
    .select({ userId: passwordResets.userId })
    .from(passwordResets)
    .where(and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, now)));
  return row?.userId ?? null;
}

/** Finds and deletes in one statement, so that a token can be used once. */
export async function takePasswordReset(
  tx: Queryable,
  tokenHash: string,
  now: Date,
): Promise<string | null> {
  const [row] = await tx
    .delete(passwordResets)
    .where(and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, now)))
    .returning({ userId: passwordResets.userId });
  return row?.userId ?? null;
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

/** Does not change the time of an earlier verification. */
export async function setEmailVerified(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx
    .update(users)
    .set({ emailVerifiedAt: now })
    .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt)));
}
