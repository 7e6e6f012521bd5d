import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNull,
  lte,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import type { Queryable } from '../open.ts';
import { capsuleRecipients, capsules, emails, sendings, users } from '../schema.ts';
import { hasPassword } from './users.ts';

/** The emails that come once a year, and the column with the time at which the next one is due. */
const DUE_COLUMNS = {
  keepsake: 'keepsakeDueAt',
  'still-sealed': 'stillSealedDueAt',
  'address-check': 'addressCheckDueAt',
} as const;
export type YearlyKind = keyof typeof DUE_COLUMNS;
export const YEARLY_KINDS = Object.keys(DUE_COLUMNS) as YearlyKind[];

/**
 * Takes people whose email of this kind is due, the longest due first, and makes their next one due
 * in a year. Other transactions skip them meanwhile.
 */
export async function claimDueYearly(
  tx: Queryable,
  { kind, now, limit }: { kind: YearlyKind; now: Date; limit: number },
): Promise<{ id: string; secondEmail: string | null; emailBouncedAt: Date | null }[]> {
  const column = users[DUE_COLUMNS[kind]];
  const due = await tx
    .select({
      id: users.id,
      secondEmail: users.secondEmail,
      emailBouncedAt: users.emailBouncedAt,
    })
    .from(users)
    .where(and(lte(column, now), hasPassword()))
    .orderBy(asc(column))
    .limit(limit)
    .for('update', { skipLocked: true });
  if (due.length === 0) return [];
  const ids = due.map(({ id }) => id);
  await tx
    .update(users)
    .set({ [DUE_COLUMNS[kind]]: inAYear(now) })
    .where(inArray(users.id, ids));
  return due;
}

/**
 * The change of a person's row that turns this yearly email on or off. If it is on already, its day
 * stays.
 * @param from a year before the first one; null for never
 */
export function asksYearlyFrom(kind: Exclude<YearlyKind, 'address-check'>, from: Date | null) {
  const column = DUE_COLUMNS[kind];
  return { [column]: from && sql`coalesce(${users[column]}, ${inAYear(from)})` };
}

/**
 * Chooses when people who have no day for it yet are first asked about their address: a year after
 * they came, or some day within a year for those who came long ago, so that not all are asked at
 * once.
 * @returns how many people, at most `limit`
 */
export async function chooseAddressChecks(
  tx: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const some = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(isNull(users.addressCheckDueAt), hasPassword()))
    .limit(limit)
    .for('update', { skipLocked: true });
  if (some.length === 0) return 0;
  const anyTime = sql`${now.toISOString()}::timestamptz + random() * interval '1 year'`;
  await tx
    .update(users)
    .set({
      addressCheckDueAt: sql`greatest(${users.createdAt} + interval '1 year', ${anyTime})`,
    })
    .where(
      inArray(
        users.id,
        some.map(({ id }) => id),
      ),
    );
  return some.length;
}

/**
 * Lets no yearly email be due later than in a year. A clock that was ahead may have put them off
 * for many years.
 */
export async function endYearlyWaits(tx: Queryable, now: Date): Promise<void> {
  const soonest = (column: SQLWrapper) => sql`least(${column}, ${inAYear(now)})`;
  const { keepsakeDueAt, stillSealedDueAt, addressCheckDueAt } = users;
  await tx
    .update(users)
    .set({
      keepsakeDueAt: sql`case when ${keepsakeDueAt} is not null then ${soonest(keepsakeDueAt)} end`,
      stillSealedDueAt: sql`case when ${stillSealedDueAt} is not null then ${soonest(stillSealedDueAt)} end`,
      // The job chooses another day, so that not all are asked at once.
      addressCheckDueAt: sql`case when ${addressCheckDueAt} <= ${inAYear(now)} then ${addressCheckDueAt} end`,
    })
    .where(
      or(
        gt(keepsakeDueAt, inAYear(now)),
        gt(stillSealedDueAt, inAYear(now)),
        gt(addressCheckDueAt, inAYear(now)),
      ),
    );
}

/**
 * Notes that the main address is still the person's. They are asked again in a year, and emails go
 * there again.
 */
export async function noteAddressWorks(
  tx: Queryable,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> {
  const people = await tx
    .update(users)
    .set({ addressCheckDueAt: inAYear(now), emailBouncedAt: null })
    .where(and(eq(users.id, userId), eq(users.email, email)))
    .returning({ id: users.id });
  if (people.length > 0) await endAddressCheck(tx, userId);
}

/** Deletes the question about the main address that still waits to be sent to the second one. */
export function endAddressCheck(tx: Queryable, userId: string) {
  const asked = tx
    .select({ id: emails.id })
    .from(emails)
    .where(and(eq(emails.userId, userId), eq(emails.kind, 'address-check')));
  return tx
    .delete(sendings)
    .where(
      and(inArray(sendings.emailId, asked), eq(sendings.slot, 'second'), isNull(sendings.outcome)),
    )
    .returning({ id: sendings.id });
}

/** Those of these people who have sealed, or will get, a capsule that opens in this time. */
export async function findWithSealed(
  tx: Queryable,
  ids: string[],
  { after, until }: { after: Date; until: Date },
): Promise<Set<string>> {
  const within = (column: typeof capsules.unlockAt | typeof capsuleRecipients.unlockAt) =>
    and(gt(column, after), lte(column, until));
  const created = tx
    .select({ id: sql<string>`${capsules.creatorId}`.as('id') })
    .from(capsules)
    .where(and(inArray(capsules.creatorId, ids), within(capsules.unlockAt)));
  // A list apart, so that the others are found in an index alone.
  const blocked = tx
    .select({ capsuleId: capsuleRecipients.capsuleId, userId: capsuleRecipients.userId })
    .from(capsuleRecipients)
    .where(and(inArray(capsuleRecipients.userId, ids), sql`${capsuleRecipients.blocked}`));
  const received = tx
    .select({ id: sql<string>`${capsuleRecipients.userId}`.as('id') })
    .from(capsuleRecipients)
    .where(
      and(
        inArray(capsuleRecipients.userId, ids),
        sql`(${capsuleRecipients.capsuleId}, ${capsuleRecipients.userId}) not in ${blocked}`,
        within(capsuleRecipients.unlockAt),
      ),
    );
  return new Set((await union(created, received)).map(({ id }) => id));
}

export interface StillSealed {
  capsules: number;
  /** Of the one that opens next. */
  nextDay: string;
}

/**
 * How much of what each of these people has sealed is still locked. Nothing is locked of people who
 * are absent.
 */
export async function findStillSealed(
  db: Queryable,
  ids: string[],
  now: Date,
): Promise<Map<string, StillSealed>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({
      creatorId: capsules.creatorId,
      capsules: sql`count(*)`.mapWith(Number),
      nextDay: sql<string>`(array_agg(${capsules.dateToUnlock} order by ${capsules.unlockAt}))[1]`,
    })
    .from(capsules)
    .where(and(inArray(capsules.creatorId, ids), gt(capsules.unlockAt, now)))
    .groupBy(capsules.creatorId);
  return new Map(rows.map(({ creatorId, ...sealed }) => [creatorId ?? '', sealed]));
}

function inAYear(from: Date): SQL<Date> {
  return sql`${from.toISOString()}::timestamptz + interval '1 year'`;
}
