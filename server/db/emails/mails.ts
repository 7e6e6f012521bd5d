import { and, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { type DELIVERIES, mails, users } from '../schema.ts';

export type MailRow = typeof mails.$inferSelect;
export type Delivery = (typeof DELIVERIES)[number];

/** The columns set when an email is queued. Its text is made when it is sent. */
export type NewMail = Pick<
  MailRow,
  'id' | 'kind' | 'toAddress' | 'userId' | 'capsuleId' | 'requestedBy'
> &
  Partial<Pick<MailRow, 'changeId'>>;

/** Queues emails. A notice this person already got about this capsule is skipped. */
export async function queueMails(tx: Queryable, rows: NewMail[], now: Date): Promise<void> {
  const due = { state: 'queued' as const, nextAttemptAt: now, createdAt: now };
  await insertMails(
    tx,
    rows.map((row) => ({ ...row, ...due })),
  );
}

/** As `queueMails`, for a later time. What is due by then for one person goes as one email. */
export async function queueLaterMails(
  tx: Queryable,
  rows: (NewMail & Pick<Partial<MailRow>, 'toSecond'>)[],
  { now, nextAttemptAt }: { now: Date; nextAttemptAt: Date },
): Promise<void> {
  const due = { state: 'queued' as const, nextAttemptAt, createdAt: now, postponed: true };
  await insertMails(
    tx,
    rows.map((row) => ({ ...row, ...due })),
  );
}

async function insertMails(tx: Queryable, rows: (typeof mails.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.insert(mails).values(rows).onConflictDoNothing();
}

/** Queues an email that did not arrive once more, to the person's second address. */
export async function sendToSecond(
  db: Queryable,
  { id }: Pick<MailRow, 'id'>,
  now: Date,
): Promise<void> {
  await db
    .update(mails)
    .set({ ...asNew(now), toSecond: true })
    .where(
      and(
        eq(mails.id, id),
        or(eq(mails.state, 'failed'), eq(mails.delivery, 'bounced')),
        eq(mails.toSecond, false),
      ),
    );
}

/** What makes another email of a row, with another key. */
const asNew = (now: Date) => ({
  state: 'queued' as const,
  attempts: 0,
  nextAttemptAt: now,
  postponed: false,
  batchId: null,
  lastError: null,
  unknownSince: null,
  resent: false,
  // What the provider tells of the email before is no news any more.
  providerId: null,
});

/**
 * Queues an email again that was sent or given up, unless that was done after `lastBefore`. What is
 * known of the email before stays until this one is sent or given up.
 * @returns whether it was queued
 */
export async function repeatMail(
  db: Queryable,
  { id, now, lastBefore }: { id: string; now: Date; lastBefore: Date },
): Promise<boolean> {
  const rows = await db
    .update(mails)
    .set({
      ...asNew(now),
      toSecond: false,
      repeats: sql`${mails.repeats} + 1`,
      repeatedAt: now,
    })
    .where(
      and(
        eq(mails.id, id),
        inArray(mails.state, ['sent', 'failed']),
        or(isNull(mails.repeatedAt), lte(mails.repeatedAt, lastBefore)),
      ),
    )
    .returning({ id: mails.id });
  return rows.length > 0;
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

/**
 * Whether the account that an email is about is still there. One that was asked for by address goes
 * with the account; others can also go with their capsule.
 */
export async function isForSomebody(
  db: Queryable,
  { id, userId }: Pick<MailRow, 'id' | 'userId'>,
): Promise<boolean> {
  if (userId) return (await db.$count(users, eq(users.id, userId))) > 0;
  return (await db.$count(mails, eq(mails.id, id))) > 0;
}
