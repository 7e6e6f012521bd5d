import { and, asc, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Database, Queryable } from './open.ts';
import { mails, mailUrgency } from './schema.ts';

export type MailRow = typeof mails.$inferSelect;
export type MailKind = MailRow['kind'];

/** The columns set when an email is queued. Its text is made when it is sent. */
export type NewMail = Pick<
  MailRow,
  'id' | 'kind' | 'toAddress' | 'userId' | 'capsuleId' | 'requestedBy'
>;

/** Queues emails. A notice this person already got about this capsule is skipped. */
export async function queueMails(tx: Queryable, rows: NewMail[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insert(mails)
    .values(
      rows.map((row) => ({ ...row, state: 'queued' as const, nextAttemptAt: now, createdAt: now })),
    )
    .onConflictDoNothing();
}

/**
 * Leases up to `limit` due emails for `leaseMs` and counts the attempt. No two callers get the
 * same row, and a row whose caller died is due again when its lease ends. Emails somebody waits
 * for go first, then "has opened", then "is waiting", of which one sender can cause many.
 */
export async function claimDueMails(
  db: Database,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<MailRow[]> {
  // One walk along the index for each urgency. Later walks begin only if earlier ones found too few.
  const dueOf = (urgency: Urgency) => {
    const some = db
      .select({ id: mails.id })
      .from(mails)
      .where(and(eq(mails.state, 'queued'), isOfUrgency(urgency), lte(mails.nextAttemptAt, now)))
      .orderBy(asc(mails.nextAttemptAt))
      .limit(limit)
      .for('update', { skipLocked: true })
      .as(`of_urgency_${urgency}`);
    return db.select({ id: some.id }).from(some);
  };
  const due = db.$with('due').as(unionAll(dueOf(0), dueOf(1), dueOf(2)).limit(limit));
  return db
    .with(due)
    .update(mails)
    .set(leased(now, leaseMs))
    .where(inArray(mails.id, db.select({ id: due.id }).from(due)))
    .returning();
}

/** Leases what was postponed for the same person as this email, and is due by now. */
export async function claimPostponed(
  db: Database,
  { kind, userId }: MailRow,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<MailRow[]> {
  const due = db.$with('due').as(
    db
      .select({ id: mails.id })
      .from(mails)
      .where(
        and(
          eq(mails.userId, userId ?? ''),
          eq(mails.state, 'queued'),
          eq(mails.kind, kind),
          eq(mails.postponed, true),
          lte(mails.nextAttemptAt, now),
        ),
      )
      .limit(limit)
      .for('update', { skipLocked: true }),
  );
  return db
    .with(due)
    .update(mails)
    .set(leased(now, leaseMs))
    .where(inArray(mails.id, db.select({ id: due.id }).from(due)))
    .returning();
}

function leased(now: Date, leaseMs: number) {
  return {
    attempts: sql`${mails.attempts} + 1`,
    nextAttemptAt: new Date(now.getTime() + leaseMs),
  };
}

type Urgency = 0 | 1 | 2;
const isOfUrgency = (urgency: Urgency) => eq(mailUrgency(mails.kind), urgency);

type Claimed = Pick<MailRow, 'id' | 'attempts'>;

/** Marks it as sent even if the lease has expired meanwhile. */
export async function markSent(db: Queryable, mail: Claimed, now: Date): Promise<void> {
  await db
    .update(mails)
    .set({ state: 'sent', sentAt: now, lastError: null, requestedBy: null })
    .where(and(eq(mails.id, mail.id), eq(mails.state, 'queued')));
}

export async function markRetry(
  db: Queryable,
  mail: Claimed,
  { nextAttemptAt, reason }: { nextAttemptAt: Date; reason: string },
): Promise<void> {
  await db.update(mails).set({ nextAttemptAt, lastError: reason }).where(stillClaimed(mail));
}

/**
 * Puts an email back without counting the attempt, because nothing was wrong with it. If it is
 * postponed, it will be sent together with others to this person.
 */
export async function markDeferred(
  db: Queryable,
  mail: Claimed & Pick<MailRow, 'postponed'>,
  nextAttemptAt: Date,
  { postponed = mail.postponed } = {},
): Promise<void> {
  await db
    .update(mails)
    .set({ nextAttemptAt, postponed, attempts: sql`${mails.attempts} - 1` })
    .where(stillClaimed(mail));
}

export async function markFailed(db: Queryable, mail: Claimed, reason: string): Promise<void> {
  await db
    .update(mails)
    .set({ state: 'failed', lastError: reason, requestedBy: null })
    .where(stillClaimed(mail));
}

export async function markDropped(db: Queryable, mail: Claimed): Promise<void> {
  await db.update(mails).set({ state: 'dropped', requestedBy: null }).where(stillClaimed(mail));
}

/** Makes waiting emails due at `now`, because their time was computed by a wrong clock. */
export async function makeAllDue(tx: Queryable, now: Date): Promise<void> {
  await tx
    .update(mails)
    .set({ nextAttemptAt: now })
    .where(and(eq(mails.state, 'queued'), gt(mails.nextAttemptAt, now)));
}

/**
 * Sets the person an address turned out to belong to, so that the email is deleted with their
 * account.
 */
export async function setMailUser(db: Queryable, mailId: string, userId: string): Promise<void> {
  await db
    .update(mails)
    .set({ userId })
    .where(and(eq(mails.id, mailId), isNull(mails.userId)));
}

/** Whether at least this many "has opened" emails are queued. */
export async function areQueuedNotices(db: Queryable, atLeast: number): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(mails)
    .where(and(eq(mails.state, 'queued'), isOfUrgency(1)))
    .limit(atLeast);
  return rows.length >= atLeast;
}

/**
 * Matches only while no other attempt has begun, so that a late caller does not overwrite its
 * outcome.
 */
function stillClaimed(mail: Claimed) {
  return and(eq(mails.id, mail.id), eq(mails.state, 'queued'), eq(mails.attempts, mail.attempts));
}
