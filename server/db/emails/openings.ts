import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte } from 'drizzle-orm';
import { deleteOpeningEmails } from '../accounts/emails-about.ts';
import type { Queryable } from '../open.ts';
import { capsuleRecipients, capsules, hasBlocked, users } from '../schema.ts';

export interface OpenedCapsule {
  id: string;
  /** Null when the creator has deleted their account. */
  creator: { id: string } | null;
  /** Whether its creator wanted its recipients to get emails. */
  notifyRecipient: boolean;
}

/**
 * Capsules that have opened and are not announced yet, longest open first. Those of suspended people
 * wait. Locks their rows until the transaction ends, and skips rows that another transaction has
 * locked.
 */
export function claimOpenedCapsules(
  tx: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<OpenedCapsule[]> {
  return tx
    .select({
      id: capsules.id,
      creator: { id: users.id },
      notifyRecipient: capsules.notifyRecipient,
    })
    .from(capsules)
    .leftJoin(users, eq(users.id, capsules.creatorId))
    .where(
      and(isNull(capsules.openedNoticeAt), lte(capsules.unlockAt, now), isNull(users.suspendedAt)),
    )
    .orderBy(asc(capsules.unlockAt))
    .limit(limit)
    .for('update', { of: capsules, skipLocked: true });
}

/** Who receives opened capsules. Who has blocked the creator is told nothing of it. */
export function listRecipientsOf(tx: Queryable, capsuleIds: string[]) {
  return tx
    .select({
      capsuleId: capsuleRecipients.capsuleId,
      id: users.id,
      hasBlockedCreator: hasBlocked(users.id, capsules.creatorId),
    })
    .from(capsuleRecipients)
    .innerJoin(capsules, eq(capsules.id, capsuleRecipients.capsuleId))
    .innerJoin(users, eq(users.id, capsuleRecipients.userId))
    .where(inArray(capsuleRecipients.capsuleId, capsuleIds))
    .orderBy(asc(capsuleRecipients.position));
}

/**
 * Locks these people, so that they are not removed until the transaction ends. It waits for nobody:
 * a refusal that removes one of them may wait for a capsule that this transaction has locked.
 * @returns those who are there and were not locked by others
 */
export async function holdPeople(tx: Queryable, ids: string[]): Promise<Set<string>> {
  const held = await tx
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, ids))
    .for('key share', { skipLocked: true });
  return new Set(held.map(({ id }) => id));
}

export async function setAnnounced(tx: Queryable, capsuleIds: string[], now: Date): Promise<void> {
  await tx.update(capsules).set({ openedNoticeAt: now }).where(inArray(capsules.id, capsuleIds));
}

/**
 * Takes back the announcements of capsules that open after `instant`, and deletes their emails,
 * even sent ones: they were not true, and each can be queued only once.
 * @returns number of capsules, at most `limit`
 */
export async function takeBackAnnouncements(
  tx: Queryable,
  { instant, limit }: { instant: Date; limit: number },
): Promise<number> {
  const early = await tx
    .select({ id: capsules.id })
    .from(capsules)
    .where(and(isNotNull(capsules.openedNoticeAt), gt(capsules.unlockAt, instant)))
    // In the order of the index `capsules_told`: otherwise all capsules are read at each poll.
    .orderBy(desc(capsules.unlockAt))
    .limit(limit)
    .for('update', { skipLocked: true });
  if (early.length === 0) return 0;
  const ids = early.map(({ id }) => id);
  await tx.update(capsules).set({ openedNoticeAt: null }).where(inArray(capsules.id, ids));
  await deleteOpeningEmails(tx, ids);
  return ids.length;
}
