import { and, asc, eq, gt, gte, isNotNull, isNull, ne, notExists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { WhichAddress } from '../../../shared/api/addresses.ts';
import type { Queryable } from '../open.ts';
import {
  addressChanges,
  binnedRecipients,
  capsuleRecipients,
  invitations,
  linkTokens,
  mails,
  pendingPasswords,
  users,
} from '../schema.ts';
import { releasePerson } from './account-deletion.ts';
import { hasPassword, isAccount } from './users.ts';
import { endAddressCheck } from './yearly-mails.ts';

export type AddressChange = typeof addressChanges.$inferSelect;

/** The two addresses of an account. */
export interface BothAddresses {
  email: string;
  secondEmail: string | null;
}

export function addressesOf({ email, secondEmail }: BothAddresses): string[] {
  return secondEmail ? [email, secondEmail] : [email];
}

/** A person's addresses, and when a pending password takes effect. Undefined without an account. */
export async function findOwnAddresses(db: Queryable, userId: string) {
  const [row] = await db
    .select({
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
      bouncedAt: users.emailBouncedAt,
      secondEmail: users.secondEmail,
      passwordTakesEffectAt: pendingPasswords.takesEffectAt,
    })
    .from(users)
    .leftJoin(pendingPasswords, eq(pendingPasswords.userId, users.id))
    .where(and(eq(users.id, userId), hasPassword()));
  return row;
}

/** Changes that can still be confirmed, at most one of each slot. */
export function findPendingChanges(
  db: Queryable,
  userId: string,
  now: Date,
): Promise<AddressChange[]> {
  return db
    .select()
    .from(addressChanges)
    .where(and(isPendingOf(userId), gt(addressChanges.expiresAt, now)))
    .orderBy(asc(addressChanges.createdAt));
}

const isPendingOf = (userId: string) =>
  and(eq(addressChanges.userId, userId), isNull(addressChanges.confirmedAt));

/** Deletes changes that are not confirmed, and their links. @param slot null for both addresses */
export async function deletePendingChanges(
  tx: Queryable,
  userId: string,
  slot: WhichAddress | null,
): Promise<void> {
  await tx
    .delete(addressChanges)
    .where(and(isPendingOf(userId), slot ? eq(addressChanges.slot, slot) : undefined));
}

export async function insertChange(
  tx: Queryable,
  row: typeof addressChanges.$inferInsert,
): Promise<void> {
  await tx.insert(addressChanges).values(row);
}

export async function findChange(db: Queryable, id: string): Promise<AddressChange | undefined> {
  const [row] = await db.select().from(addressChanges).where(eq(addressChanges.id, id));
  return row;
}

/** @returns false if the change is gone: the sweep may just have deleted it */
export async function updateChange(
  tx: Queryable,
  id: string,
  change: Partial<AddressChange>,
): Promise<boolean> {
  const updated = await tx
    .update(addressChanges)
    .set(change)
    .where(eq(addressChanges.id, id))
    .returning({ id: addressChanges.id });
  return updated.length > 0;
}

export async function deleteChange(tx: Queryable, id: string): Promise<void> {
  await tx.delete(addressChanges).where(eq(addressChanges.id, id));
}

/**
 * Confirmed changes that give addresses a say: those that can be undone, and those that were
 * undone, until a new password takes effect.
 */
export function findLiveChanges(
  db: Queryable,
  userId: string,
  now: Date,
): Promise<AddressChange[]> {
  return db
    .select()
    .from(addressChanges)
    .where(
      and(
        eq(addressChanges.userId, userId),
        isNotNull(addressChanges.confirmedAt),
        or(isNotNull(addressChanges.undoneAt), gt(addressChanges.expiresAt, now)),
      ),
    );
}

/** Marks a change as undone, and with it those that were confirmed after it. */
export async function undoSince(
  tx: Queryable,
  { userId, confirmedAt }: { userId: string; confirmedAt: Date },
  now: Date,
): Promise<void> {
  await tx
    .update(addressChanges)
    .set({ undoneAt: now })
    .where(and(eq(addressChanges.userId, userId), gte(addressChanges.confirmedAt, confirmedAt)));
}

/** Deletes all changes of a person, and their links. */
export async function deleteChanges(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(addressChanges).where(eq(addressChanges.userId, userId));
}

export async function deleteUndoneChanges(tx: Queryable, userId: string): Promise<void> {
  await tx
    .delete(addressChanges)
    .where(and(eq(addressChanges.userId, userId), isNotNull(addressChanges.undoneAt)));
}

/** Whether somebody had this address until lately, and can still take it back. */
export async function isReserved(
  db: Queryable,
  email: string,
  { now, exceptOf = null }: { now: Date; exceptOf?: string | null },
): Promise<boolean> {
  const rows = await db
    .select({ id: addressChanges.id })
    .from(addressChanges)
    .where(
      and(
        or(eq(addressChanges.previousMain, email), eq(addressChanges.previousSecond, email)),
        isNotNull(addressChanges.confirmedAt),
        isNull(addressChanges.undoneAt),
        gt(addressChanges.expiresAt, now),
        exceptOf ? ne(addressChanges.userId, exceptOf) : undefined,
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Whether an account has this main or second address, or an invited person the main one. */
export async function isSomebodys(db: Queryable, email: string): Promise<boolean> {
  return (await db.$count(users, or(eq(users.email, email), eq(users.secondEmail, email)))) > 0;
}

/**
 * The row with this main address. The address is taken if the row is an account, confirmed where
 * that is asked for, or if it has sealed a capsule.
 */
export async function findUserAt(
  db: Queryable,
  email: string,
): Promise<{ id: string; isTaken: boolean } | undefined> {
  const [row] = await db
    .select({
      id: users.id,
      isTaken: sql<boolean>`(${isAccount()}
        or exists (select 1 from capsules c where c.creator_id = users.id))`,
    })
    .from(users)
    .where(eq(users.email, email));
  return row;
}

/**
 * Gives an account what waits for an invited person, and removes that person's row. If both receive
 * the same capsule, the account's place in it stays as it is.
 */
export async function mergeInvited(
  tx: Queryable,
  { from, to, email }: { from: string; to: string; email: string },
): Promise<void> {
  for (const places of [capsuleRecipients, binnedRecipients]) {
    const others = alias(places, 'others');
    const isFromBlocked = sql`exists (select 1 from blocks b where b.user_id = ${to}
      and b.blocked_id in (select creator_id from capsules where id = ${places.capsuleId}
        union all select owner_id from binned_capsules where capsule_id = ${places.capsuleId}))`;
    await tx
      .update(places)
      // Filled in again by the sweep: the account may have sealed the capsule, for another address
      // of the same person.
      .set({
        userId: to,
        isCreator: null,
        hidden: sql`${places.hidden} or ${isFromBlocked}`,
        blocked: sql`${places.blocked} or ${isFromBlocked}`,
      })
      .where(
        and(
          eq(places.userId, from),
          notExists(
            tx
              .select({ one: sql`1` })
              .from(others)
              .where(and(eq(others.capsuleId, places.capsuleId), eq(others.userId, to))),
          ),
        ),
      );
  }
  const told = alias(mails, 'told');
  await tx
    .update(mails)
    .set({ userId: to, toAddress: email })
    .where(
      and(
        eq(mails.userId, from),
        isNotNull(mails.capsuleId),
        notExists(
          tx
            .select({ one: sql`1` })
            .from(told)
            .where(
              and(
                eq(told.userId, to),
                eq(told.capsuleId, mails.capsuleId),
                eq(told.kind, mails.kind),
              ),
            ),
        ),
      ),
    );
  await tx.update(invitations).set({ userId: to }).where(eq(invitations.userId, from));
  await releasePerson(tx, from);
}

/** Sets one of the addresses, or both. Links in emails to the earlier ones stop working. */
export async function setAddresses(
  tx: Queryable,
  userId: string,
  change: Partial<BothAddresses & { emailVerifiedAt: Date }>,
): Promise<void> {
  const ofMain = change.email ? { emailBouncedAt: null, addressCheckDueAt: null } : {};
  await tx
    .update(users)
    .set({ ...change, ...ofMain })
    .where(eq(users.id, userId));
  if (change.email) await endAddressCheck(tx, userId);
}

export async function setEmailWorks(tx: Queryable, userId: string): Promise<void> {
  await tx.update(users).set({ emailBouncedAt: null }).where(eq(users.id, userId));
}

/** Ends every link of a change, because one of them was used. */
export async function deleteLinksOf(tx: Queryable, changeId: string): Promise<void> {
  await tx.delete(linkTokens).where(eq(linkTokens.subjectId, changeId));
}
