import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Database, Queryable } from './open.ts';
import { DELIVERIES, mails, mailUrgency } from './schema.ts';

export type MailRow = typeof mails.$inferSelect;
export type MailKind = MailRow['kind'];
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
function dueIds(db: Database, { now, limit }: Lease, which: SQL | undefined, name: string) {
  const some = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.state, 'queued'), which, lte(mails.nextAttemptAt, now)))
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

type Urgency = 0 | 1 | 2;
const isOfUrgency = (urgency: Urgency) => eq(mailUrgency(mails.kind), urgency);

type Claimed = Pick<MailRow, 'id' | 'attempts'>;

/** Whether an attempt has had no answer: the email waits for another one, or was given up. */
const isUnanswered = and(inArray(mails.state, ['queued', 'failed']), isNotNull(mails.unknownSince));

/** Marks them as sent even if the lease has expired meanwhile, or they were given up as unknown. */
export async function markSent(
  db: Queryable,
  rows: Pick<MailRow, 'id' | 'providerId'>[],
  now: Date,
): Promise<void> {
  const ids = sql.param(rows.map(({ id }) => id));
  const providerIds = sql.param(rows.map(({ providerId }) => providerId));
  const sent = sql`unnest(${ids}::uuid[], ${providerIds}::text[]) sent (id, provider_id)`;
  await db
    .update(mails)
    .set({
      state: 'sent',
      sentAt: now,
      providerId: sql`sent.provider_id`,
      lastError: null,
      unknownSince: null,
      requestedBy: null,
      delivery: null,
      deliveredAt: null,
    })
    .from(sent)
    .where(and(sql`${mails.id} = sent.id`, or(eq(mails.state, 'queued'), isUnanswered)));
}

/**
 * Sets what the provider tells about an email, unless something that counts more is known: a
 * bounce counts more than a delivery, whichever is told first. @returns what went as this email, if it
 * was news
 */
export async function noteDelivery(
  db: Queryable,
  told: { ids: string[]; delivery: Delivery; at: Date; reason: string | null },
): Promise<MailRow[]> {
  const { ids, delivery, at, reason } = told;
  const rank = DELIVERIES.indexOf(delivery);
  const lesser = DELIVERIES.slice(0, rank);
  const isNews = or(
    isNull(mails.delivery),
    inArray(mails.delivery, lesser),
    and(eq(mails.delivery, delivery), lt(mails.deliveredAt, at)),
  );
  return db
    .update(mails)
    .set({ delivery, deliveredAt: at, lastError: reason })
    .where(and(inArray(mails.providerId, ids), isNews))
    .returning();
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

export async function isProviderId(db: Queryable, ids: string[]): Promise<boolean> {
  const rows = await db
    .select({ id: mails.id })
    .from(mails)
    .where(inArray(mails.providerId, ids))
    .limit(1);
  return rows.length > 0;
}

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

/** What is noted of an attempt: where it goes, and whether it or an earlier one may have arrived. */
export type Attempt = Pick<MailRow, 'id' | 'attempts' | 'toAddress' | 'unknownSince' | 'resent'>;

export async function noteAttempts(db: Queryable, rows: Attempt[]): Promise<void> {
  const column = <T>(of: (row: Attempt) => T) => sql.param(rows.map(of));
  const noted = sql`unnest(
    ${column(({ id }) => id)}::uuid[],
    ${column(({ toAddress }) => toAddress)}::text[],
    ${column(({ unknownSince }) => unknownSince?.toISOString() ?? null)}::text[]::timestamptz[],
    ${column(({ resent }) => String(resent))}::text[]::boolean[]
  ) noted (id, to_address, unknown_since, resent)`;
  await db
    .update(mails)
    .set({
      toAddress: sql`noted.to_address`,
      unknownSince: sql`noted.unknown_since`,
      resent: sql`noted.resent`,
    })
    .from(noted)
    .where(and(sql`${mails.id} = noted.id`, stillClaimed(rows)));
}

export async function markRetry(
  db: Queryable,
  rows: Claimed[],
  { nextAttemptAt, reason }: { nextAttemptAt: Date; reason: string },
): Promise<void> {
  await db.update(mails).set({ nextAttemptAt, lastError: reason }).where(stillClaimed(rows));
}

/** Puts emails back without counting the attempt, because nothing was wrong with them. */
export async function markDeferred(
  db: Queryable,
  rows: Claimed[],
  nextAttemptAt: Date,
): Promise<void> {
  await db
    .update(mails)
    .set({ nextAttemptAt, attempts: sql`${mails.attempts} - 1` })
    .where(stillClaimed(rows));
}

/** From now on they go together with others to the same person, and in no batch. */
export async function markPostponed(
  db: Queryable,
  rows: Claimed[],
  nextAttemptAt: Date,
): Promise<void> {
  await db
    .update(mails)
    .set({
      nextAttemptAt,
      postponed: true,
      batchId: null,
      attempts: sql`${mails.attempts} - 1`,
    })
    .where(stillClaimed(rows));
}

/** @param isRefused whether the provider refused them for good */
export async function markFailed(
  db: Queryable,
  rows: Claimed[],
  { reason, at, isRefused = false }: { reason: string; at: Date; isRefused?: boolean },
): Promise<void> {
  const delivery = isRefused ? ('bounced' as const) : null;
  const told = { delivery, deliveredAt: at };
  await db
    .update(mails)
    .set({ state: 'failed', lastError: reason, requestedBy: null, ...told })
    .where(stillClaimed(rows));
}

/** One that was to be sent again is again what it was before. */
export async function markDropped(db: Queryable, rows: Claimed[]): Promise<void> {
  const before = sql`case when ${mails.sentAt} is not null then 'sent' when ${mails.repeats} > 0 then 'failed' else 'dropped' end`;
  await db.update(mails).set({ state: before, requestedBy: null }).where(stillClaimed(rows));
}

/** Moves emails to another batch, or out of theirs. What happens to them next is another step. */
export async function setBatch(
  db: Queryable,
  rows: Claimed[],
  batchId: string | null,
): Promise<void> {
  await db.update(mails).set({ batchId }).where(stillClaimed(rows));
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

/** Whether the row is still there: it goes with the account. */
export async function isThere(db: Queryable, mailId: string): Promise<boolean> {
  return (await db.$count(mails, eq(mails.id, mailId))) > 0;
}

/** This email, locked, if an attempt of it has had no answer. */
export async function findUnanswered(tx: Queryable, mailId: string): Promise<MailRow | null> {
  const [row] = await tx
    .select()
    .from(mails)
    .where(and(eq(mails.id, mailId), isUnanswered))
    .for('update');
  return row ?? null;
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

/**
 * Matches only while no other attempt has begun, so that a late caller does not overwrite its
 * outcome.
 */
function stillClaimed(rows: Claimed[]) {
  const ids = sql.param(rows.map(({ id }) => id));
  const attempts = sql.param(rows.map((row) => row.attempts));
  const claimed = sql`select * from unnest(${ids}::uuid[], ${attempts}::integer[])`;
  return and(eq(mails.state, 'queued'), sql`(${mails.id}, ${mails.attempts}) in (${claimed})`);
}
