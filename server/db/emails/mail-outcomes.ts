import { and, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queryable } from '../open.ts';
import { DELIVERIES, mails } from '../schema.ts';
import type { Delivery, MailRow } from './mails.ts';
import { putOffUntil } from './put-off-mails.ts';

type Claimed = Pick<MailRow, 'id' | 'attempts'>;

/** Whether an attempt has had no answer: the email waits for another one, or was given up. */
const isUnanswered = and(inArray(mails.state, ['queued', 'failed']), isNotNull(mails.unknownSince));

/** Of a deleted account nothing stays, once it was told. */
const keptAddress = sql`case when ${mails.kind} = 'account-deleted' then '' else ${mails.toAddress} end`;

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
      toAddress: keptAddress,
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

/** What is known of an attempt: where it goes, and whether it or an earlier one may have arrived. */
export type Attempt = Pick<MailRow, 'id' | 'attempts' | 'toAddress' | 'unknownSince' | 'resent'>;

/**
 * Sets what is known when an attempt begins, and again what was known before once the provider has
 * said that it has not taken the email.
 */
export async function setAttempts(db: Queryable, rows: Attempt[]): Promise<void> {
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

/** @param isGone whether there is no such mailbox */
export async function markFailed(
  db: Queryable,
  rows: Claimed[],
  { reason, at, isGone = false }: { reason: string; at: Date; isGone?: boolean },
): Promise<void> {
  const delivery = isGone ? ('bounced' as const) : null;
  const told = { delivery, deliveredAt: at };
  await db
    .update(mails)
    .set({ state: 'failed', lastError: reason, requestedBy: null, ...told })
    .where(stillClaimed(rows));
}

/**
 * One that was to be sent again is again what it was before. One about a capsule in the bin goes when
 * that is back.
 */
export async function markDropped(db: Queryable, rows: Claimed[]): Promise<void> {
  const state = sql`case when ${putOffUntil} is not null then ${mails.state}
    when ${mails.sentAt} is not null then 'sent' when ${mails.repeats} > 0 then 'failed' else 'dropped' end`;
  const nextAttemptAt = sql`coalesce(${putOffUntil}, ${mails.nextAttemptAt})`;
  await db.update(mails).set({ state, nextAttemptAt, requestedBy: null }).where(stillClaimed(rows));
}

/** Moves emails to another batch, or out of theirs. What happens to them next is another step. */
export async function setBatch(
  db: Queryable,
  rows: Claimed[],
  batchId: string | null,
): Promise<void> {
  await db.update(mails).set({ batchId }).where(stillClaimed(rows));
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

/** Whether the reader of one of these emails has marked another one at the same address as spam. */
export async function hasComplained(db: Queryable, ids: string[]): Promise<boolean> {
  const before = alias(mails, 'before');
  const rows = await db
    .select({ one: sql`1` })
    .from(mails)
    .innerJoin(
      before,
      and(
        eq(before.userId, mails.userId),
        eq(before.toAddress, mails.toAddress),
        eq(before.delivery, 'complained'),
      ),
    )
    .where(inArray(mails.providerId, ids))
    .limit(1);
  return rows.length > 0;
}

export async function isProviderId(db: Queryable, ids: string[]): Promise<boolean> {
  const rows = await db
    .select({ id: mails.id })
    .from(mails)
    .where(inArray(mails.providerId, ids))
    .limit(1);
  return rows.length > 0;
}

export async function isMail(db: Queryable, id: string): Promise<boolean> {
  return (await db.$count(mails, eq(mails.id, id))) > 0;
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
