import { and, asc, eq, gt, isNotNull, isNull, ne, notExists, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queryable } from '../open.ts';
import { anyRow } from '../rows.ts';
import {
  accountChanges,
  binnedRecipients,
  capsuleRecipients,
  invitations,
  users,
} from '../schema.ts';
import { isNewPassword, isOfAddress, isWaiting } from './account-changes.ts';
import { releasePerson } from './account-deletion.ts';
import { moveNotices } from './emails-about.ts';
import { hasPassword, isAccount } from './users.ts';

/** The two addresses of an account. */
export interface BothAddresses {
  email: string;
  secondEmail: string | null;
}

export function addressesOf({ email, secondEmail }: BothAddresses): string[] {
  return secondEmail ? [email, secondEmail] : [email];
}

/**
 * A person's addresses, and what waits to take effect: at most one change of each slot. Undefined
 * without an account.
 */
export async function findOwnAddresses(db: Queryable, userId: string, now: Date) {
  const rows = await db
    .select({
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
      bouncedAt: users.emailBouncedAt,
      secondEmail: users.secondEmail,
      change: accountChanges,
    })
    .from(users)
    .leftJoin(accountChanges, and(eq(accountChanges.userId, users.id), isWaiting))
    .where(and(eq(users.id, userId), hasPassword()))
    .orderBy(asc(accountChanges.createdAt));
  const [own] = rows;
  if (!own) return undefined;
  const waiting = rows.flatMap(({ change }) => change ?? []);
  const pending = waiting
    .filter(isOfAddress)
    .filter(({ confirmedAt, confirmUntil }) => confirmedAt || (confirmUntil && confirmUntil > now));
  return { ...own, pending, password: waiting.find(isNewPassword) };
}

/**
 * Whether this address is kept for somebody: they have left it lately and can still take it back, or
 * have confirmed it and wait until it takes effect.
 */
export async function isReserved(db: Queryable, email: string, now: Date): Promise<boolean> {
  return (await db.$count(accountChanges, isKept(email, now))) > 0;
}

function isKept(email: string, now: Date, exceptOf?: string): SQL | undefined {
  const { slot, newAddress, previousMain, previousSecond, undoneAt } = accountChanges;
  const isLeft = or(
    and(eq(slot, 'main'), eq(previousMain, email)),
    // A second one that became the main one is no second one any more.
    and(eq(previousSecond, email), or(eq(slot, 'second'), eq(newAddress, email))),
  );
  const canUndo = and(gt(accountChanges.objectionUntil, now), isNull(undoneAt));
  return and(
    or(
      and(isLeft, canUndo),
      and(eq(newAddress, email), isWaiting, isNotNull(accountChanges.confirmedAt)),
    ),
    exceptOf ? ne(accountChanges.userId, exceptOf) : undefined,
  );
}

/** Whether an account has this main or second address, or an invited person the main one. */
export async function isSomebodys(db: Queryable, email: string): Promise<boolean> {
  return (await db.$count(users, or(eq(users.email, email), eq(users.secondEmail, email)))) > 0;
}

/** Whether nobody else has this address as their second one, or can take it back. */
export async function isFreeAsSecond(
  db: Queryable,
  email: string,
  { userId, now }: { userId: string; now: Date },
): Promise<boolean> {
  const isOthers = and(eq(users.secondEmail, email), ne(users.id, userId));
  if ((await db.$count(users, isOthers)) > 0) return false;
  return (await db.$count(accountChanges, isKept(email, now, userId))) === 0;
}

/**
 * Who has this main address, and whether it is kept for somebody besides `userId`. It is taken if its
 * row is an account, or if that has sealed a capsule. One statement, so that nobody is between
 * having the address and being able to take it back.
 */
export async function findUserAt(
  db: Queryable,
  email: string,
  { userId, now }: { userId: string; now: Date },
): Promise<{ id: string | null; isTaken: boolean; isReserved: boolean }> {
  const kept = anyRow(db, accountChanges, isKept(email, now, userId));
  const [row] = await db
    .select({
      id: users.id,
      isTaken: sql<boolean>`(${isAccount()}
        or exists (select 1 from capsules c where c.creator_id = users.id))`,
      isReserved: sql<boolean>`exists ${kept}`,
    })
    .from(sql`(select 1) as one`)
    .leftJoin(users, eq(users.email, email));
  return row ?? { id: null, isTaken: false, isReserved: false };
}

/**
 * Gives an account what waits for an invited person, and removes that person's row. If both receive
 * the same capsule, the account's place in it stays as it is.
 */
export async function mergeInvited(
  tx: Queryable,
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const places of [capsuleRecipients, binnedRecipients]) {
    const others = alias(places, 'others');
    const isFromBlocked = sql`exists (select 1 from blocks b where b.user_id = ${to}
      and b.blocked_id in (select creator_id from capsules where id = ${places.capsuleId}
        union all select owner_id from binned_capsules where capsule_id = ${places.capsuleId}))`;
    // The account may have sealed the capsule, for another address of the same person.
    const isTheirs = sql`(exists (select 1 from capsules c
        where c.id = ${places.capsuleId} and c.creator_id = ${to})
      or exists (select 1 from binned_capsules b
        where b.capsule_id = ${places.capsuleId} and b.owner_id = ${to}))`;
    await tx
      .update(places)
      .set({
        userId: to,
        isCreator: isTheirs,
        hidden: sql`${places.hidden} or ${isFromBlocked}`,
        blocked: sql`${places.blocked} or ${isFromBlocked}`,
      })
      .where(
        and(
          eq(places.userId, from),
          notExists(
            anyRow(tx, others, and(eq(others.capsuleId, places.capsuleId), eq(others.userId, to))),
          ),
        ),
      );
  }
  await moveNotices(tx, { from, to });
  await tx.update(invitations).set({ userId: to }).where(eq(invitations.userId, from));
  await releasePerson(tx, from);
}

/** Sets one of the addresses, or both. Links that prove the earlier ones stop working. */
export async function setAddresses(
  tx: Queryable,
  userId: string,
  change: Partial<
    BothAddresses & { emailVerifiedAt: Date | null; addressAskedAt: Date; passwordHash: string }
  >,
): Promise<void> {
  await tx
    .update(users)
    .set({ ...change, ...(change.email && { emailBouncedAt: null }) })
    .where(eq(users.id, userId));
}

export async function setEmailWorks(tx: Queryable, userId: string): Promise<void> {
  await tx.update(users).set({ emailBouncedAt: null }).where(eq(users.id, userId));
}
