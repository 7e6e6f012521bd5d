import { and, asc, eq, isNotNull, isNull, lte, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Database, Queryable } from '../open.ts';
import { mails, mailUrgency } from '../schema.ts';
import type { MailRow } from './mails.ts';

/** How a caller takes emails for itself for a while. */
export interface Lease {
  now: Date;
  /** After this, the emails are due again: their caller has died. */
  leaseMs: number;
  limit: number;
}

/**
 * Leases due emails and counts the attempt. No two callers get the same row. Emails somebody waits
 * for go first, then "has opened", then "is waiting", of which one sender can cause many.
 */
export async function claimDueMails(db: Database, options: Lease): Promise<MailRow[]> {
  // One walk along the index for each urgency. Later walks begin only if earlier ones found too few.
  const due = unionAll(
    dueIds(db, options, isOfUrgency(0), 'first'),
    dueIds(db, options, isOfUrgency(1), 'second'),
    dueIds(db, options, isOfUrgency(2), 'third'),
  );
  return lease(db, due.limit(options.limit), options);
}

/** As `claimDueMails`, but only what somebody waits for. */
export async function claimUrgentMails(db: Database, options: Lease): Promise<MailRow[]> {
  return lease(db, dueIds(db, options, isOfUrgency(0), 'first'), options);
}

/** As `claimDueMails`, but only what was postponed. */
export async function claimPostponedMails(db: Database, options: Lease): Promise<MailRow[]> {
  return lease(db, dueIds(db, options, eq(mails.postponed, true), 'postponed'), options);
}

export interface Batch {
  id: string;
  /** Whether no attempt was made before. */
  isNew: boolean;
  /** In the order of their ids, the same at each attempt. */
  rows: MailRow[];
}

/**
 * Leases the emails of a batch that was tried before, or, if none is due, other due notices as the
 * batch `newId`.
 */
export async function claimBatch(
  db: Database,
  { newId, ...options }: Lease & { newId: string },
): Promise<Batch> {
  const again = await lease(db, idsOfDueBatch(db, options.now), options);
  const isNew = again.length === 0;
  const rows = isNew ? await lease(db, idsOfNewBatch(db, options), options, newId) : again;
  rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { id: rows[0]?.batchId ?? newId, isNew, rows };
}

function idsOfDueBatch(db: Database, now: Date) {
  const isDue = and(
    eq(mails.state, 'queued'),
    isNotNull(mails.batchId),
    lte(mails.nextAttemptAt, now),
  );
  const some = db.select({ id: mails.batchId }).from(mails).where(isDue).limit(1);
  // Locked in one order and not skipped, so that of two callers one gets all rows and the other
  // none: the key of a batch must not be used for a part of it.
  return db
    .select({ id: mails.id })
    .from(mails)
    .where(and(isDue, eq(mails.batchId, some)))
    .orderBy(asc(mails.id))
    .for('update');
}

function idsOfNewBatch(db: Database, options: Lease) {
  const isFree = and(isNull(mails.batchId), eq(mails.postponed, false));
  return unionAll(
    dueIds(db, options, and(isOfUrgency(1), isFree), 'first'),
    dueIds(db, options, and(isOfUrgency(2), isFree), 'second'),
  ).limit(options.limit);
}

/** Leases what was postponed for the same person as this email, and is due by now. */
export async function claimPostponed(
  db: Database,
  { kind, userId }: MailRow,
  options: Lease,
): Promise<MailRow[]> {
  const isTheirs = and(eq(mails.userId, userId ?? ''), eq(mails.kind, kind));
  const due = dueIds(db, options, and(isTheirs, eq(mails.postponed, true)), 'postponed');
  return lease(db, due, options);
}

/** The longest due first. @param name of the part in its statement, where each must be another */
function dueIds(db: Database, { now, limit }: Lease, condition: SQL | undefined, name: string) {
  const some = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.state, 'queued'), condition, lte(mails.nextAttemptAt, now)))
    .orderBy(asc(mails.nextAttemptAt))
    .limit(limit)
    .for('update', { skipLocked: true })
    .as(name);
  return db.select({ id: some.id }).from(some);
}

async function lease(
  db: Database,
  ids: SQLWrapper,
  { now, leaseMs }: Lease,
  batchId?: string,
): Promise<MailRow[]> {
  return (
    db
      .update(mails)
      .set({
        attempts: sql`${mails.attempts} + 1`,
        nextAttemptAt: new Date(now.getTime() + leaseMs),
        ...(batchId && { batchId }),
      })
      // By its name: PostgreSQL may run a subquery more than once, and each run would lock other rows.
      .where(sql`${mails.id} in (with due as materialized (${ids}) select id from due)`)
      .returning()
  );
}

/** How many "has opened" emails are due, counted up to `most`. */
export async function countDueNotices(
  db: Queryable,
  { now, most }: { now: Date; most: number },
): Promise<number> {
  const rows = await db
    .select({ one: sql`1` })
    .from(mails)
    .where(and(eq(mails.state, 'queued'), isOfUrgency(1), lte(mails.nextAttemptAt, now)))
    .limit(most);
  return rows.length;
}

type Urgency = 0 | 1 | 2;
const isOfUrgency = (urgency: Urgency) => eq(mailUrgency(mails.kind), urgency);
