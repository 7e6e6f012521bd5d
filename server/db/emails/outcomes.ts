import { and, eq, getTableColumns, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queryable } from '../open.ts';
import { emails, mayHaveArrived, OUTCOMES, sendings } from '../schema.ts';
import type { Sending, SendingRow } from './sendings.ts';

type Outcome = (typeof OUTCOMES)[number];

type Claimed = Pick<Sending, 'id' | 'attempts'>;

/**
 * Notes that an attempt begins, and where each goes: until its outcome is known, they may have
 * arrived. @returns false if one of them is gone, or is not claimed any more
 */
export async function beginAttempt(
  db: Queryable,
  rows: (Claimed & Pick<Sending, 'address'>)[],
  now: Date,
): Promise<boolean> {
  const addresses = sql.param(rows.map(({ address }) => address));
  const ids = sql.param(rows.map(({ id }) => id));
  const { count: begun } = await db
    .update(sendings)
    // The first time stays: since then, the provider may know the key.
    .set({ address: sql`begun.address`, begunAt: sql`coalesce(${sendings.begunAt}, ${at(now)})` })
    .from(sql`unnest(${ids}::uuid[], ${addresses}::text[]) begun (id, address)`)
    .where(and(sql`${sendings.id} = begun.id`, stillClaimed(rows)));
  return begun === rows.length;
}

/** Marks them as sent even if the lease has expired meanwhile, or they were given up as unknown. */
export async function markSent(
  db: Queryable,
  rows: Pick<Sending, 'id' | 'providerId'>[],
  now: Date,
): Promise<void> {
  const ids = sql.param(rows.map(({ id }) => id));
  const providerIds = sql.param(rows.map(({ providerId }) => providerId));
  await db
    .update(sendings)
    .set({
      outcome: 'sent',
      outcomeAt: now,
      sentAt: now,
      nextAttemptAt: null,
      providerId: sql`sent.provider_id`,
      reason: null,
    })
    .from(sql`unnest(${ids}::uuid[], ${providerIds}::text[]) sent (id, provider_id)`)
    .where(and(sql`${sendings.id} = sent.id`, mayBeUnderWay));
}

const mayBeUnderWay = or(isNull(sendings.outcome), eq(sendings.outcome, 'unknown'));

/** What is noted of an attempt that did not end the sending. */
interface NotYet {
  nextAttemptAt: Date;
  /** Null if nothing was wrong with the attempt: then it does not count. */
  failure: {
    /** In the words of the provider. */
    reason: string;
    /** Whether the provider may have the email all the same. */
    isUnknown: boolean;
  } | null;
}

/** Another attempt is made. @param rows as they were claimed */
export async function markRetry(
  db: Queryable,
  rows: Pick<Sending, 'id' | 'attempts' | 'begunAt'>[],
  { nextAttemptAt, failure }: NotYet,
): Promise<void> {
  const ids = sql.param(rows.map(({ id }) => id));
  const before = sql.param(rows.map(({ begunAt }) => begunAt?.toISOString() ?? null));
  await db
    .update(sendings)
    .set({
      nextAttemptAt,
      ...(failure ? { reason: failure.reason } : { attempts: sql`${sendings.attempts} - 1` }),
      // The provider has not taken it, so what was known before the attempt is true again.
      ...(!failure?.isUnknown && { begunAt: sql`was.begun_at::timestamptz` }),
    })
    .from(sql`unnest(${ids}::uuid[], ${before}::text[]) was (id, begun_at)`)
    .where(and(sql`${sendings.id} = was.id`, stillClaimed(rows)));
}

/** Ends sendings that the provider has not taken, as far as is known. */
export async function markEnded(
  db: Queryable,
  rows: Claimed[],
  ended: {
    outcome: 'dropped' | 'withheld' | 'unknown' | 'failed' | 'bounced';
    at: Date;
    reason?: string;
  },
): Promise<void> {
  const { outcome, at: outcomeAt, reason } = ended;
  await db
    .update(sendings)
    .set({ outcome, outcomeAt, nextAttemptAt: null, ...(reason !== undefined && { reason }) })
    .where(stillClaimed(rows));
}

/** The next attempt begins as the first one did: by itself, under another key, to where it goes then. */
export async function beginSecondTry(db: Queryable, row: Claimed, now: Date): Promise<void> {
  await db
    .update(sendings)
    .set({ isSecondTry: true, begunAt: null, batchId: null, nextAttemptAt: now })
    .where(stillClaimed([row]));
}

/** Moves sendings to another batch, or to none. What happens to them next is another step. */
export async function setBatch(
  db: Queryable,
  rows: Claimed[],
  batchId: string | null,
): Promise<void> {
  await db.update(sendings).set({ batchId }).where(stillClaimed(rows));
}

/** What a provider calls a sending: by our id, by its own one, or by both. */
export interface SendingName {
  id: string | null;
  providerId: string;
}

/** What a provider tells about a sending. */
interface Delivery extends SendingName {
  outcome: Extract<Outcome, 'delivered' | 'failed' | 'bounced' | 'complained'>;
  at: Date;
  reason: string | null;
}

/**
 * Sets what is told about sendings, unless something that counts more is known: a bounce counts more
 * than a delivery, whichever is told first. What is told of one whose answer was lost shows that the
 * provider has taken it. @returns them with their emails, if it was news
 */
export async function noteOutcome(tx: Queryable, delivery: Delivery): Promise<SendingRow[]> {
  const { outcome, at: outcomeAt, reason, providerId } = delivery;
  const lesser = OUTCOMES.slice(0, OUTCOMES.indexOf(outcome));
  const isNews = or(
    and(isNull(sendings.outcome), mayHaveArrived),
    inArray(sendings.outcome, lesser),
    and(eq(sendings.outcome, outcome), lt(sendings.outcomeAt, outcomeAt)),
  );
  const rows = await tx
    .update(sendings)
    .set({
      outcome,
      outcomeAt,
      nextAttemptAt: null,
      providerId,
      reason,
      sentAt: sql`coalesce(${sendings.sentAt}, ${at(outcomeAt)})`,
    })
    .from(emails)
    .where(and(eq(emails.id, sendings.emailId), isNamed(delivery), isNews))
    .returning({ sending: getTableColumns(sendings), email: getTableColumns(emails) });
  return rows.map(({ sending, email }) => ({ ...sending, email }));
}

/** The sendings of this name. */
export const isNamed = ({ id, providerId }: SendingName) =>
  id === null
    ? eq(sendings.providerId, providerId)
    : or(eq(sendings.id, id), eq(sendings.providerId, providerId));

/** Whether this sending's reader has marked another email at the same address as spam. */
export async function hasComplained(db: Queryable, name: SendingName): Promise<boolean> {
  const email = alias(emails, 'before_email');
  const before = alias(sendings, 'before');
  const rows = await db
    .select({ one: sql`1` })
    .from(sendings)
    .innerJoin(emails, eq(emails.id, sendings.emailId))
    .innerJoin(email, eq(email.userId, emails.userId))
    .innerJoin(
      before,
      and(
        eq(before.emailId, email.id),
        eq(before.address, sendings.address),
        eq(before.outcome, 'complained'),
      ),
    )
    .where(isNamed(name))
    .limit(1);
  return rows.length > 0;
}

/** Whether a sending of ours is called so. */
export async function isSending(db: Queryable, name: SendingName): Promise<boolean> {
  return (await db.$count(sendings, isNamed(name))) > 0;
}

/**
 * Matches only while no other attempt has begun, so that a late caller does not overwrite its
 * outcome.
 */
function stillClaimed(rows: Claimed[]) {
  const ids = sql.param(rows.map(({ id }) => id));
  const attempts = sql.param(rows.map((row) => row.attempts));
  const claimed = sql`select * from unnest(${ids}::uuid[], ${attempts}::integer[])`;
  return and(isNull(sendings.outcome), sql`(${sendings.id}, ${sendings.attempts}) in (${claimed})`);
}

const at = (instant: Date) => sql`${instant.toISOString()}::timestamptz`;
