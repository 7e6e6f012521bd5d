import { and, asc, eq, gt, inArray, isNull, not, sql } from 'drizzle-orm';
import { type EmailKind, type KindsWith, kindsWith } from '../../mail/kinds.ts';
import { isAccount, nameFor } from '../accounts/users.ts';
import type { Queryable } from '../open.ts';
import {
  capsuleRecipients,
  capsules,
  emails,
  invitations,
  notices,
  sendings,
  users,
} from '../schema.ts';
import { became } from './became.ts';

const SEEN_KINDS = kindsWith({ isSeenByCreator: true });

export type NewNotice = typeof notices.$inferInsert;

/** Of these notices, which were queued before. Each person is told once about a capsule. */
export function findQueued(
  tx: Queryable,
  kind: EmailKind,
  about: { capsuleId: string; userId: string }[],
): Promise<{ capsuleId: string; userId: string }[]> {
  const capsuleIds = [...new Set(about.map(({ capsuleId }) => capsuleId))];
  return tx
    .select({ capsuleId: notices.capsuleId, userId: notices.userId })
    .from(notices)
    .where(and(inArray(notices.capsuleId, capsuleIds), eq(notices.kind, kind)));
}

/** How many emails of a kind were queued for each of these people after an instant, and told them something. */
export async function countQueuedSince(
  tx: Queryable,
  { kind, userIds, after }: { kind: EmailKind; userIds: string[]; after: Date },
): Promise<Map<string, number>> {
  const rows = await tx
    .select({ userId: emails.userId, emails: sql`count(*)`.mapWith(Number) })
    .from(emails)
    .where(
      and(
        inArray(emails.userId, userIds),
        eq(emails.kind, kind),
        gt(emails.createdAt, after),
        sql`not exists (select 1 from sendings s where s.email_id = emails.id and s.outcome in ('withheld', 'dropped'))`,
      ),
    )
    .groupBy(emails.userId);
  return new Map(rows.map(({ userId, emails }) => [userId ?? '', emails]));
}

/**
 * Of each of these people, an email of a kind that was queued lately, is due after an instant, and was
 * not tried yet. It can take more notices. Locked, so that it is not sent meanwhile.
 */
export async function lockWaiting(
  tx: Queryable,
  options: { kind: EmailKind; userIds: string[]; queuedAfter: Date; dueAfter: Date },
): Promise<Map<string, string>> {
  const { kind, userIds, queuedAfter, dueAfter } = options;
  if (userIds.length === 0) return new Map();
  const rows = await tx
    .select({ id: emails.id, userId: emails.userId })
    .from(emails)
    .innerJoin(sendings, eq(sendings.emailId, emails.id))
    .where(
      and(
        inArray(emails.userId, userIds),
        eq(emails.kind, kind),
        gt(emails.createdAt, queuedAfter),
        isNull(sendings.outcome),
        eq(sendings.attempts, 0),
        gt(sendings.nextAttemptAt, dueAfter),
      ),
    )
    .orderBy(asc(sendings.id))
    .for('update', { of: sendings });
  return new Map(rows.map(({ id, userId }) => [userId ?? '', id]));
}

/** Whether an email of this kind waits that was not tried yet. Locked, so that it is not sent meanwhile. */
export async function lockUntried(tx: Queryable, kind: EmailKind): Promise<boolean> {
  const rows = await tx
    .select({ id: sendings.id })
    .from(sendings)
    .innerJoin(emails, eq(emails.id, sendings.emailId))
    .where(and(isNull(sendings.outcome), eq(sendings.attempts, 0), eq(emails.kind, kind)))
    .limit(1)
    .for('update', { of: sendings });
  return rows.length > 0;
}

export async function insertNotices(tx: Queryable, rows: NewNotice[]): Promise<void> {
  if (rows.length > 0) await tx.insert(notices).values(rows).onConflictDoNothing();
}

export type NoticeRow = Awaited<ReturnType<typeof findNotices>>[number];

export async function hasCreated(db: Queryable, userId: string, id: string): Promise<boolean> {
  return (await db.$count(capsules, and(eq(capsules.id, id), eq(capsules.creatorId, userId)))) > 0;
}

const isRepeat = sql`s.email_id = ${emails.id} and s.cause = 'repeat' and s.outcome is distinct from 'dropped'`;

/**
 * The email of each kind about a capsule to each recipient, in the order of the recipients and "has
 * opened" first.
 */
export function findNotices(db: Queryable, capsuleId: string) {
  const what = became(db);
  return db
    .select({
      id: emails.id,
      kind: sql<KindsWith<{ isSeenByCreator: true }>>`${notices.kind}`,
      recipientId: users.id,
      recipientName: nameFor(capsules.creatorId),
      recipientEmail: users.email,
      // False for who is only invited to make one.
      hasAccount: isAccount(),
      createdAt: emails.createdAt,
      state: what.state,
      at: what.at,
      // It was not sent, and its recipient's block must not be noticed.
      isWithheld: what.isWithheld,
      lastSentAt: what.lastSentAt,
      lastNumber:
        sql`(select max(s.number) from sendings s where s.email_id = ${emails.id})`.mapWith(Number),
      repeats: sql`(select count(*) from sendings s where ${isRepeat})`.mapWith(Number),
      repeatedAt:
        sql<Date | null>`(select max(s.created_at) from sendings s where ${isRepeat})`.mapWith(
          sendings.createdAt,
        ),
    })
    .from(capsuleRecipients)
    .innerJoin(users, eq(users.id, capsuleRecipients.userId))
    .innerJoin(capsules, eq(capsules.id, capsuleRecipients.capsuleId))
    .innerJoin(
      notices,
      and(
        eq(notices.capsuleId, capsuleRecipients.capsuleId),
        eq(notices.userId, capsuleRecipients.userId),
      ),
    )
    .innerJoin(emails, eq(emails.id, notices.emailId))
    .innerJoinLateral(what, sql`true`)
    .where(and(eq(capsuleRecipients.capsuleId, capsuleId), inArray(notices.kind, SEEN_KINDS)))
    .orderBy(asc(capsuleRecipients.position), asc(notices.kind));
}

export type SentInvitationRow = Pick<
  NoticeRow,
  'recipientName' | 'recipientEmail' | 'state' | 'at'
>;

/**
 * The emails with which this person has invited recipients of a capsule who have no account yet, in
 * the order of the recipients. Nothing of others' invitations, and nothing of those refused.
 */
export function findSentInvitations(
  db: Queryable,
  { capsuleId, inviterId }: { capsuleId: string; inviterId: string },
): Promise<SentInvitationRow[]> {
  const what = became(db);
  return db
    .select({
      recipientName: sql<string>`coalesce(${invitations.name}, ${users.name})`,
      recipientEmail: users.email,
      state: what.state,
      at: what.at,
    })
    .from(capsuleRecipients)
    .innerJoin(users, eq(users.id, capsuleRecipients.userId))
    .innerJoin(invitations, eq(invitations.userId, users.id))
    .innerJoin(emails, eq(emails.aboutId, invitations.id))
    .innerJoinLateral(what, sql`true`)
    .where(
      and(
        eq(capsuleRecipients.capsuleId, capsuleId),
        eq(invitations.inviterId, inviterId),
        not(isAccount()),
      ),
    )
    .orderBy(asc(capsuleRecipients.position));
}
