import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm';
import type { Queryable } from './open.ts';
import { capsuleRecipients, capsules, users } from './schema.ts';

export interface OpenedCapsule {
  id: string;
  /** Null when the creator has deleted their account. */
  creator: { id: string; email: string } | null;
}

/**
 * Capsules whose instant has come and of which nobody has been told, longest open first.
 * They stay locked until the transaction ends; those another transaction holds are left to it.
 */
export function claimOpenedCapsules(
  tx: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<OpenedCapsule[]> {
  return tx
    .select({ id: capsules.id, creator: { id: users.id, email: users.email } })
    .from(capsules)
    .leftJoin(users, eq(users.id, capsules.creatorId))
    .where(and(isNull(capsules.openedNoticeAt), lte(capsules.unlockAt, now)))
    .orderBy(asc(capsules.unlockAt))
    .limit(limit)
    .for('update', { of: capsules, skipLocked: true });
}

export function listRecipientsOf(
  tx: Queryable,
  capsuleIds: string[],
): Promise<{ capsuleId: string; id: string; email: string }[]> {
  return tx
    .select({ capsuleId: capsuleRecipients.capsuleId, id: users.id, email: users.email })
    .from(capsuleRecipients)
    .innerJoin(users, eq(users.id, capsuleRecipients.userId))
    .where(inArray(capsuleRecipients.capsuleId, capsuleIds))
    .orderBy(asc(capsuleRecipients.position));
}

export async function setOpenedNotice(
  tx: Queryable,
  capsuleIds: string[],
  now: Date,
): Promise<void> {
  await tx.update(capsules).set({ openedNoticeAt: now }).where(inArray(capsules.id, capsuleIds));
}
