import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { nameForCreator } from '../accounts/users.ts';
import type { NoticeRow } from '../emails/notices.ts';
import type { Queryable } from '../open.ts';
import {
  binnedCapsules,
  capsuleRecipients,
  capsules,
  mails,
  NOTICE_KINDS,
  users,
  withheldNotices,
} from '../schema.ts';
import type { Pair } from './blocks.ts';

/** A notice that its recipient is not to get. */
interface Withheld {
  id: string;
  capsuleId: string;
  userId: string;
  kind: NoticeRow['kind'];
}

/** Notes notices that are not queued. Who has turned such notices off would have got none. */
export async function noteWithheld(tx: Queryable, notices: Withheld[], now: Date): Promise<void> {
  if (notices.length === 0) return;
  const column = (name: keyof Withheld) => sql.param(notices.map((notice) => notice[name]));
  await tx.execute(sql`
    insert into withheld_notices (id, capsule_id, user_id, kind, queued_at)
    select n.id, n.capsule_id, n.user_id, n.kind, ${now.toISOString()}::timestamptz
    from unnest(${column('id')}::uuid[], ${column('capsuleId')}::uuid[],
      ${column('userId')}::uuid[], ${column('kind')}::text[]) n (id, capsule_id, user_id, kind)
    join users u on u.id = n.user_id and not n.kind = any(u.unwanted_notices)
    on conflict do nothing`);
}

/**
 * Takes back all emails that still wait to be sent to a person about what somebody they have blocked
 * has sealed, also where it is in that one's bin.
 */
export async function withholdQueued(tx: Queryable, { userId, blockedId }: Pair): Promise<void> {
  const theirs = tx
    .select({ id: capsules.id })
    .from(capsules)
    .leftJoin(binnedCapsules, eq(binnedCapsules.capsuleId, capsules.id))
    .where(or(eq(capsules.creatorId, blockedId), eq(binnedCapsules.ownerId, blockedId)));
  const { id, capsuleId, kind, createdAt, repeats, repeatedAt } = mails;
  const removed = tx.$with('removed').as(
    tx
      .delete(mails)
      .where(and(eq(mails.userId, userId), eq(mails.state, 'queued'), inArray(capsuleId, theirs)))
      .returning({ id, capsuleId, userId: mails.userId, kind, createdAt, repeats, repeatedAt }),
  );
  await tx
    .with(removed)
    .insert(withheldNotices)
    .select((query) =>
      query
        .select({
          id: removed.id,
          capsuleId: sql<string>`${removed.capsuleId}`.as('capsule_id'),
          userId: sql<string>`${removed.userId}`.as('user_id'),
          kind: sql<NoticeRow['kind']>`${removed.kind}`.as('kind'),
          queuedAt: removed.createdAt,
          repeats: removed.repeats,
          repeatedAt: removed.repeatedAt,
        })
        .from(removed)
        .where(inArray(removed.kind, NOTICE_KINDS)),
    )
    .onConflictDoNothing();
}

export interface WithheldRow extends Omit<Withheld, 'capsuleId' | 'userId'> {
  recipientId: string;
  recipientName: string;
  recipientEmail: string;
  queuedAt: Date;
  repeats: number;
  repeatedAt: Date | null;
}

/** The recipients of a capsule in their order, with the notices that each did not get, "has opened" first. */
export async function findWithheld(
  db: Queryable,
  id: string,
): Promise<{ recipientId: string; withheld: WithheldRow | null }[]> {
  const { capsuleId, userId } = capsuleRecipients;
  const rows = await db
    .select({
      recipientId: users.id,
      recipientName: nameForCreator(),
      recipientEmail: users.email,
      withheld: {
        id: withheldNotices.id,
        kind: withheldNotices.kind,
        queuedAt: withheldNotices.queuedAt,
        repeats: withheldNotices.repeats,
        repeatedAt: withheldNotices.repeatedAt,
      },
    })
    .from(capsuleRecipients)
    .innerJoin(users, eq(users.id, userId))
    .innerJoin(capsules, eq(capsules.id, capsuleId))
    .leftJoin(
      withheldNotices,
      and(eq(withheldNotices.capsuleId, capsuleId), eq(withheldNotices.userId, userId)),
    )
    .where(eq(capsuleId, id))
    .orderBy(asc(capsuleRecipients.position), asc(withheldNotices.kind));
  return rows.map(({ withheld, ...recipient }) => ({
    recipientId: recipient.recipientId,
    withheld: withheld && { ...withheld, ...recipient },
  }));
}

/**
 * Notes that a notice would have been sent again. @param notice as its creator sees it: an email from
 * before the block, or a withheld one
 * @returns false if that was noted after `lastBefore`
 */
export async function repeatWithheld(
  db: Queryable,
  notice: Withheld & { repeats: number },
  { now, lastBefore }: { now: Date; lastBefore: Date },
): Promise<boolean> {
  const { repeatedAt } = withheldNotices;
  const again = { queuedAt: now, repeats: notice.repeats + 1, repeatedAt: now };
  const rows = await db
    .insert(withheldNotices)
    .values({ ...notice, ...again })
    .onConflictDoUpdate({
      target: [withheldNotices.capsuleId, withheldNotices.kind, withheldNotices.userId],
      set: again,
      setWhere: or(isNull(repeatedAt), lte(repeatedAt, lastBefore)),
    })
    .returning({ id: withheldNotices.id });
  return rows.length > 0;
}

/** Forgets that a notice was withheld: its recipient gets it from now on. */
export async function removeWithheld(tx: Queryable, id: string): Promise<void> {
  await tx.delete(withheldNotices).where(eq(withheldNotices.id, id));
}
