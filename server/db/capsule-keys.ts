import { and, eq, gt, lt, sql } from 'drizzle-orm';
import type { Queryable } from './open.ts';
import { capsuleKeys } from './schema.ts';

export type CapsuleKeyRow = typeof capsuleKeys.$inferSelect;
type KeyName = Pick<CapsuleKeyRow, 'userId' | 'key'>;
type Claim = KeyName & Pick<CapsuleKeyRow, 'claim'>;

const named = ({ userId, key }: KeyName) =>
  and(eq(capsuleKeys.userId, userId), eq(capsuleKeys.key, key));
const claimed = (claim: Claim) =>
  and(named(claim), eq(capsuleKeys.claim, claim.claim), eq(capsuleKeys.state, 'receiving'));

/**
 * Claims a key that is new, or whose lease has expired. @returns false if it is held or done
 */
export async function claimKey(db: Queryable, claim: Claim & { leaseUntil: Date; now: Date }) {
  const { now, ...row } = claim;
  const taken = await db
    .insert(capsuleKeys)
    .values({ ...row, state: 'receiving' })
    .onConflictDoUpdate({
      target: [capsuleKeys.userId, capsuleKeys.key],
      set: { claim: row.claim, leaseUntil: row.leaseUntil },
      setWhere: and(eq(capsuleKeys.state, 'receiving'), lt(capsuleKeys.leaseUntil, now)),
    })
    .returning({ one: sql`1` });
  return taken.length === 1;
}

export async function findKey(db: Queryable, name: KeyName): Promise<CapsuleKeyRow | undefined> {
  const [row] = await db.select().from(capsuleKeys).where(named(name));
  return row;
}

export async function renewKey(db: Queryable, claim: Claim, leaseUntil: Date): Promise<void> {
  await db.update(capsuleKeys).set({ leaseUntil }).where(claimed(claim));
}

export async function releaseKey(db: Queryable, claim: Claim): Promise<void> {
  await db.delete(capsuleKeys).where(claimed(claim));
}

/** Frees the keys of requests that died with their server. @returns their number */
export async function releaseAllKeys(db: Queryable): Promise<number> {
  const rows = await db
    .delete(capsuleKeys)
    .where(eq(capsuleKeys.state, 'receiving'))
    .returning({ one: sql`1` });
  return rows.length;
}

/** Ends all leases at `now`, after the clock was wrong. A living request renews its own. */
export async function endLeases(tx: Queryable, now: Date): Promise<void> {
  await tx
    .update(capsuleKeys)
    .set({ leaseUntil: now })
    .where(and(eq(capsuleKeys.state, 'receiving'), gt(capsuleKeys.leaseUntil, now)));
}

/** @returns false if another request has taken the key over */
export async function finishKey(
  tx: Queryable,
  claim: Claim,
  done: { fingerprint: string; capsuleId: string },
): Promise<boolean> {
  const rows = await tx
    .update(capsuleKeys)
    .set({ state: 'done', ...done })
    .where(claimed(claim))
    .returning({ one: sql`1` });
  return rows.length === 1;
}
