import {
  and,
  asc,
  eq,
  getTableColumns,
  isNotNull,
  isNull,
  lte,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { later } from '../../clock/clock.ts';
import type { Database, Queryable } from '../open.ts';
import { emails, notices, sendings } from '../schema.ts';
import type { EmailRow } from './emails.ts';

/** An email, and the capsules it tells about. */
export type Email = EmailRow & { capsuleIds: string[] };

export type SendingRow = typeof sendings.$inferSelect & { email: EmailRow };

/** A sending that is being made. */
export type Sending = SendingRow & { email: Email };

/** How a caller takes sendings for itself for a while. */
interface Lease {
  now: Date;
  /** After this, they are due again: their caller has died. */
  leaseMs: number;
  limit: number;
}

/**
 * Leases due sendings and counts the attempt. No two callers get the same row. Those that somebody
 * waits for go first, then "has opened", then "is waiting", of which one creator can cause many.
 */
export function claimDue(db: Database, options: Lease): Promise<Sending[]> {
  // One walk along the index for each urgency. Later walks begin only if earlier ones found too few.
  const due = unionAll(
    dueIds(db, options, eq(sendings.urgency, 0), 'first'),
    dueIds(db, options, eq(sendings.urgency, 1), 'second'),
    dueIds(db, options, eq(sendings.urgency, 2), 'third'),
  );
  return lease(db, due.limit(options.limit), options);
}

/** As `claimDue`, but only what somebody waits for. */
export function claimUrgent(db: Database, options: Lease): Promise<Sending[]> {
  return lease(db, dueIds(db, options, eq(sendings.urgency, 0), 'first'), options);
}

/**
 * Leases a batch that was tried before, whole, or, if none is due, other sendings that nobody waits
 * for, as the batch `newId`. @returns them in the order of their ids, the same at each attempt
 */
export async function claimBatch(
  db: Database,
  { newId, ...options }: Lease & { newId: string },
): Promise<Sending[]> {
  const again = await lease(db, idsOfDueBatch(db, options.now), options);
  const claimed =
    again.length > 0 ? again : await lease(db, idsOfNewBatch(db, options), options, newId);
  return claimed.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function idsOfDueBatch(db: Database, now: Date) {
  const isDue = and(
    isNull(sendings.outcome),
    isNotNull(sendings.batchId),
    lte(sendings.nextAttemptAt, now),
  );
  const some = db.select({ id: sendings.batchId }).from(sendings).where(isDue).limit(1);
  // Locked in one order and not skipped, so that of two callers one gets all rows and the other
  // none: the key of a batch must not be used for a part of it.
  return db
    .select({ id: sendings.id })
    .from(sendings)
    .where(and(isDue, eq(sendings.batchId, some)))
    .orderBy(asc(sendings.id))
    .for('update');
}

function idsOfNewBatch(db: Database, options: Lease) {
  return unionAll(
    dueIds(db, options, and(eq(sendings.urgency, 1), isNull(sendings.batchId)), 'first'),
    dueIds(db, options, and(eq(sendings.urgency, 2), isNull(sendings.batchId)), 'second'),
  ).limit(options.limit);
}

/** The longest due first. @param name by which its statement tells this part from the others */
function dueIds(db: Database, { now, limit }: Lease, condition: SQL | undefined, name: string) {
  const some = db
    .select({ id: sendings.id })
    .from(sendings)
    .where(and(isNull(sendings.outcome), condition, lte(sendings.nextAttemptAt, now)))
    .orderBy(asc(sendings.nextAttemptAt))
    .limit(limit)
    .for('update', { skipLocked: true })
    .as(name);
  return db.select({ id: some.id }).from(some);
}

const capsuleIds = sql<string[]>`array(select ${notices.capsuleId} from ${notices}
  where ${notices.emailId} = ${emails.id} order by 1)`;

async function lease(
  db: Database,
  ids: SQLWrapper,
  { now, leaseMs }: Lease,
  batchId?: string,
): Promise<Sending[]> {
  const claimed = await db
    .update(sendings)
    .set({
      attempts: sql`${sendings.attempts} + 1`,
      nextAttemptAt: later(now, leaseMs),
      ...(batchId && { batchId }),
    })
    .from(emails)
    // Materialized: PostgreSQL may run a subquery more than once, and each run would lock other rows.
    .where(
      and(
        eq(emails.id, sendings.emailId),
        sql`${sendings.id} = any(array(with due as materialized (${ids}) select id from due))`,
      ),
    )
    .returning({
      sending: getTableColumns(sendings),
      email: getTableColumns(emails),
      capsuleIds,
    });
  return claimed.map(({ sending, email, capsuleIds }) => ({
    ...sending,
    email: { ...email, capsuleIds },
  }));
}

/** How many "has opened" emails are due, counted up to `most`. */
export async function countDueOpenings(
  db: Queryable,
  { now, most }: { now: Date; most: number },
): Promise<number> {
  const rows = await db
    .select({ one: sql`1` })
    .from(sendings)
    .where(and(isNull(sendings.outcome), eq(sendings.urgency, 1), lte(sendings.nextAttemptAt, now)))
    .limit(most);
  return rows.length;
}

/** Why an email goes out again, where, and when. */
export type Again = Pick<Sending, 'cause' | 'slot'> & {
  id: string;
  nextAttemptAt: Date;
  now: Date;
};

/** Writes another sending of the same email. @returns false if there is one after this already */
export async function sendAgain(
  tx: Queryable,
  { emailId, number, urgency }: Pick<Sending, 'emailId' | 'number' | 'urgency'>,
  { now: createdAt, ...again }: Again,
): Promise<boolean> {
  const { count } = await tx
    .insert(sendings)
    .values({ ...again, emailId, number: number + 1, urgency, createdAt })
    .onConflictDoNothing();
  return count > 0;
}
