import {
  and,
  eq,
  exists,
  inArray,
  isNull,
  not,
  notExists,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queryable } from '../open.ts';
import { anyRow, isOneOf } from '../rows.ts';
import { binnedCapsules, capsules, emails, mayHaveArrived, notices, sendings } from '../schema.ts';

/** What is told by email goes with the person and the capsules that it is about. */

/** Deletes emails that somebody asked for by this address alone. Reports go on to whoever runs the site. */
export async function deleteEmailsTo(tx: Queryable, address: string): Promise<void> {
  const isAskedFor = inArray(emails.kind, ['password-reset', 'verify-email']);
  await tx
    .delete(emails)
    .where(and(eq(emails.toAddress, address), isNull(emails.userId), isAskedFor));
}

/**
 * Deletes what was to be told, and was told, about capsules that go for good. An email about others
 * as well stays. Call it before the capsules are deleted.
 */
export async function deleteEmailsAbout(tx: Queryable, capsuleIds: string[]): Promise<void> {
  await deleteNotices(tx, isOneOf(notices.capsuleId, capsuleIds));
}

const isOfOpening = inArray(notices.kind, ['capsule-opened', 'capsule-reminder']);

/**
 * Deletes what was not told about a capsule in the bin: when it goes there what is queued of its opening,
 * which is queued anew when it is back, and then what was dropped meanwhile. What has failed or is
 * withheld stays, as if the capsule had always been there.
 */
export async function deleteUntold(
  tx: Queryable,
  capsuleId: string,
  outcome: 'dropped' | null,
): Promise<void> {
  const some = (which: SQL | undefined) =>
    exists(anyRow(tx, sendings, and(eq(sendings.emailId, notices.emailId), which)));
  const isBack = sql`${sendings.outcome} in ('failed', 'bounced')`;
  const mayHaveBeenRead = some(and(mayHaveArrived, sql`(${isBack}) is not true`));
  const isUntold = outcome
    ? some(eq(sendings.outcome, outcome))
    : and(isOfOpening, some(isNull(sendings.outcome)));
  await deleteNotices(tx, and(eq(notices.capsuleId, capsuleId), isUntold, not(mayHaveBeenRead)));
}

/**
 * Ends what is still to be told to a person about nothing but capsules of somebody they have blocked.
 * For an unblocking: what came meanwhile is announced no more.
 */
export async function withholdEmails(
  tx: Queryable,
  { userId, blockedId }: { userId: string; blockedId: string },
  now: Date,
): Promise<void> {
  const { id, creatorId } = capsules;
  const about = (isTheirs: SQL) =>
    tx
      .select({ emailId: notices.emailId })
      .from(notices)
      .innerJoin(capsules, eq(id, notices.capsuleId))
      .leftJoin(binnedCapsules, eq(binnedCapsules.capsuleId, id))
      .where(and(eq(notices.userId, userId), isTheirs));
  const isBlocked = sql`coalesce(${creatorId}, ${binnedCapsules.ownerId}) = ${blockedId}`;
  await tx
    .update(sendings)
    .set({ outcome: 'withheld', outcomeAt: now, nextAttemptAt: null })
    .where(
      and(
        isNull(sendings.outcome),
        inArray(sendings.emailId, about(isBlocked)),
        notInArray(sendings.emailId, about(sql`(${isBlocked}) is not true`)),
      ),
    );
}

/** Deletes announcements and reminders of capsules that have not opened after all, even sent ones. */
export async function deleteOpeningEmails(tx: Queryable, capsuleIds: string[]): Promise<void> {
  await deleteNotices(tx, and(inArray(notices.capsuleId, capsuleIds), isOfOpening));
}

/** Deletes notices, and the emails that have nothing else to tell. */
async function deleteNotices(tx: Queryable, condition: SQL | undefined): Promise<void> {
  const deleted = await tx.delete(notices).where(condition).returning({ emailId: notices.emailId });
  if (deleted.length === 0) return;
  const others = anyRow(tx, notices, eq(notices.emailId, emails.id));
  const ids = [...new Set(deleted.map(({ emailId }) => emailId))];
  await tx.delete(emails).where(and(isOneOf(emails.id, ids), notExists(others)));
}

/**
 * Gives an account what an invited person was told and is to be told, but for what the account is
 * told itself.
 */
export async function moveNotices(
  tx: Queryable,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const own = alias(notices, 'own');
  const isOwnToo = anyRow(
    tx,
    own,
    and(eq(own.userId, to), eq(own.capsuleId, notices.capsuleId), eq(own.kind, notices.kind)),
  );
  const moved = await tx
    .update(notices)
    .set({ userId: to })
    .where(and(eq(notices.userId, from), notExists(isOwnToo)))
    .returning({ emailId: notices.emailId });
  const ids = moved.map(({ emailId }) => emailId);
  await tx.update(emails).set({ userId: to }).where(isOneOf(emails.id, ids));
}
