import { count, eq, max } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { recoveryCodes } from '../schema.ts';

/** Stores a person's codes in place of all earlier ones. */
export async function putRecoveryCodes(
  tx: Queryable,
  { userId, codeHashes, now }: { userId: string; codeHashes: string[]; now: Date },
): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx
    .insert(recoveryCodes)
    .values(codeHashes.map((codeHash) => ({ codeHash, userId, createdAt: now })));
}

export async function countRecoveryCodes(db: Queryable, userId: string) {
  const [row] = await db
    .select({ left: count(), madeAt: max(recoveryCodes.createdAt) })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId));
  return row ?? { left: 0, madeAt: null };
}

/** Whose code it is. */
export async function findCodeOwner(db: Queryable, codeHash: string): Promise<string | undefined> {
  const [row] = await db
    .select({ userId: recoveryCodes.userId })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.codeHash, codeHash));
  return row?.userId;
}

/** Uses a code up. @returns false if it has been used or replaced meanwhile */
export async function takeRecoveryCode(tx: Queryable, codeHash: string): Promise<boolean> {
  const changed = await tx.delete(recoveryCodes).where(eq(recoveryCodes.codeHash, codeHash));
  return changed.count > 0;
}
