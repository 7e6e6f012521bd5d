import { and, asc, desc, eq, inArray, not, sql } from 'drizzle-orm';
import type { KindsWith } from '../../mail/kinds.ts';
import { type AccountCondition, hasAccount, nameForCreator } from '../accounts/users.ts';
import type { Queryable } from '../open.ts';
import { capsuleRecipients, capsules, invitations, mails, NOTICE_KINDS, users } from '../schema.ts';
import type { MailRow } from './mails.ts';

export interface NoticeRow
  extends Pick<
    MailRow,
    | 'id'
    | 'state'
    | 'createdAt'
    | 'sentAt'
    | 'delivery'
    | 'deliveredAt'
    | 'unknownSince'
    | 'repeats'
    | 'repeatedAt'
  > {
  recipientId: string;
  recipientName: string;
  recipientEmail: string;
  /** False for who is only invited to make one. */
  hasAccount: boolean;
  kind: KindsWith<{ isNotice: true }>;
}

export async function hasCreated(db: Queryable, userId: string, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: capsules.id })
    .from(capsules)
    .where(and(eq(capsules.id, id), eq(capsules.creatorId, userId)));
  return rows.length > 0;
}

/**
 * The newest email of each kind about a capsule to each recipient, in the order of the recipients and
 * "has opened" first.
 */
export async function findNotices(
  db: Queryable,
  capsuleId: string,
  condition: AccountCondition,
): Promise<NoticeRow[]> {
  const rows = await db
    .selectDistinctOn([capsuleRecipients.position, mails.kind], {
      recipientId: users.id,
      recipientName: nameForCreator(),
      recipientEmail: users.email,
      hasAccount: hasAccount(condition),
      kind: mails.kind,
      id: mails.id,
      state: mails.state,
      sentAt: mails.sentAt,
      delivery: mails.delivery,
      deliveredAt: mails.deliveredAt,
      repeats: mails.repeats,
      unknownSince: mails.unknownSince,
      repeatedAt: mails.repeatedAt,
      createdAt: mails.createdAt,
    })
    .from(capsuleRecipients)
    .innerJoin(users, eq(users.id, capsuleRecipients.userId))
    .innerJoin(capsules, eq(capsules.id, capsuleRecipients.capsuleId))
    .innerJoin(
      mails,
      and(
        eq(mails.capsuleId, capsuleRecipients.capsuleId),
        eq(mails.userId, capsuleRecipients.userId),
      ),
    )
    .where(and(eq(capsuleRecipients.capsuleId, capsuleId), inArray(mails.kind, NOTICE_KINDS)))
    .orderBy(asc(capsuleRecipients.position), asc(mails.kind), desc(mails.createdAt));
  return rows as NoticeRow[];
}

export type SentInvitationRow = Pick<
  NoticeRow,
  | 'recipientName'
  | 'recipientEmail'
  | 'state'
  | 'sentAt'
  | 'delivery'
  | 'deliveredAt'
  | 'unknownSince'
>;

/**
 * The emails with which this person has invited recipients of a capsule who have no account yet, in
 * the order of the recipients. Nothing of others' invitations, and nothing of those refused.
 */
export function findSentInvitations(
  db: Queryable,
  { capsuleId, inviterId }: { capsuleId: string; inviterId: string },
  condition: AccountCondition,
): Promise<SentInvitationRow[]> {
  return db
    .select({
      recipientName: sql<string>`coalesce(${invitations.name}, ${users.name})`,
      recipientEmail: users.email,
      state: mails.state,
      sentAt: mails.sentAt,
      delivery: mails.delivery,
      deliveredAt: mails.deliveredAt,
      unknownSince: mails.unknownSince,
    })
    .from(capsuleRecipients)
    .innerJoin(users, eq(users.id, capsuleRecipients.userId))
    .innerJoin(invitations, eq(invitations.userId, users.id))
    .innerJoin(mails, eq(mails.id, invitations.id))
    .where(
      and(
        eq(capsuleRecipients.capsuleId, capsuleId),
        eq(invitations.inviterId, inviterId),
        not(hasAccount(condition)),
      ),
    )
    .orderBy(asc(capsuleRecipients.position));
}
