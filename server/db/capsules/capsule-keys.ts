import { and, eq, lt, lte, sql } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { prepared } from '../prepared.ts';
import { capsuleKeys } from '../schema.ts';

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
  const taken = await claiming(db).execute({ ...claim, now: claim.now.toISOString() });
  return taken.length === 1;
}

const value = (name: keyof Claim | 'leaseUntil' | 'now') => sql.placeholder(name);
const claiming = prepared((db) =>
  db
    .insert(capsuleKeys)
    .values({
      userId: value('userId'),
      key: value('key'),
      claim: value('claim'),
      leaseUntil: value('leaseUntil'),
      state: 'receiving',
    })
    .onConflictDoUpdate({
      target: [capsuleKeys.userId, capsuleKeys.key],
      set: { claim: sql`excluded.claim`, leaseUntil: sql`excluded.lease_until` },
      setWhere: and(eq(capsuleKeys.state, 'receiving'), lt(capsuleKeys.leaseUntil, value('now'))),
    })
    // For this statement alone: its commit does not wait for the disk. A claim that a power cut
    // takes away is made again, and the seal waits for the disk with everything before it.
    .returning({ commit: sql`set_config('synchronous_commit', 'off', true)` })
    .prepare('claim_key'),
);

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
  const gone = await db.delete(capsuleKeys).where(eq(capsuleKeys.state, 'receiving'));
  return gone.count;
}

/** A key with the capsule that it stands for from now on. */
export interface FinishedKey extends Claim {
  fingerprint: string;
  capsuleId: string;
}

/** Part of the statement that seals. It changes no row if another request has taken the key over. */
export function finishedKey(tx: Queryable, { fingerprint, capsuleId, ...claim }: FinishedKey) {
  return tx
    .update(capsuleKeys)
    .set({ state: 'done', fingerprint, capsuleId })
    .where(claimed(claim));
}

/** Keys of requests that never finished. */
export async function deleteAbandonedKeys(db: Queryable, leaseEndedBefore: Date): Promise<void> {
  await db
    .delete(capsuleKeys)
    .where(and(eq(capsuleKeys.state, 'receiving'), lte(capsuleKeys.leaseUntil, leaseEndedBefore)));
}
