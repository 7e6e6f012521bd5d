import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  notInArray,
  or,
  type SQL,
} from 'drizzle-orm';
import type { AddressSlot } from '../../../shared/api/addresses.ts';
import type { Queryable } from '../open.ts';
import { accountChanges, users } from '../schema.ts';
import { ACCOUNT_COLUMNS, type Account } from './users.ts';

/**
 * Owns `account_changes`: what others may object to. A change *waits* until it takes effect, and of
 * each slot only one does. One that has taken effect stays until a month after it can be undone.
 */

export type AccountChange = typeof accountChanges.$inferSelect;
export type NewAccountChange = typeof accountChanges.$inferInsert;
export type Slot = AccountChange['slot'];
export type AddressChange = AccountChange & { slot: AddressSlot };
export type NewPassword = AccountChange & { passwordHash: string; sentTo: string };

export const isOfAddress = (change: AccountChange): change is AddressChange =>
  change.slot !== 'password';
export const isNewPassword = (change: AccountChange): change is NewPassword =>
  change.slot === 'password';

/** Not in effect yet. */
export const isWaiting: SQL = isNull(accountChanges.objectionUntil);

/** Stores a change that waits. It replaces the one of the same slot, whose links stop working. */
export async function putWaiting(tx: Queryable, row: NewAccountChange): Promise<void> {
  await deleteWaiting(tx, row.userId, [row.slot]);
  await tx.insert(accountChanges).values(row);
}

/**
 * Deletes what waits in these slots. Waits for who is confirming it in this moment: what has taken
 * effect needs its row, so that it can be undone.
 */
export async function deleteWaiting(tx: Queryable, userId: string, slots: Slot[]): Promise<void> {
  const isOfSlots = inArray(accountChanges.slot, slots);
  await tx
    .delete(accountChanges)
    .where(and(eq(accountChanges.userId, userId), isWaiting, isOfSlots));
}

/** Takes a change that still waits out of the table, once. */
export async function takeWaiting(tx: Queryable, id: string): Promise<AccountChange | undefined> {
  const [row] = await tx
    .delete(accountChanges)
    .where(and(eq(accountChanges.id, id), isWaiting))
    .returning();
  return row;
}

/** Notes that a new address was confirmed, once. */
export async function confirmWaiting(
  tx: Queryable,
  id: string,
  now: Date,
): Promise<AddressChange | undefined> {
  const [row] = await tx
    .update(accountChanges)
    .set({ confirmedAt: now })
    .where(and(eq(accountChanges.id, id), isWaiting, isNull(accountChanges.confirmedAt)))
    .returning();
  return row && isOfAddress(row) ? row : undefined;
}

/** Stores a change of an address that takes effect now, whether it has waited or not. */
export async function putInEffect(tx: Queryable, row: NewAccountChange): Promise<void> {
  await tx
    .insert(accountChanges)
    .values(row)
    .onConflictDoUpdate({ target: accountChanges.id, set: row });
}

export async function findAddressChange(
  db: Queryable,
  id: string,
): Promise<AddressChange | undefined> {
  const [row] = await db.select().from(accountChanges).where(eq(accountChanges.id, id));
  return row && isOfAddress(row) ? row : undefined;
}

export async function findWaitingPassword(
  db: Queryable,
  userId: string,
): Promise<NewPassword | undefined> {
  const isOfUser = eq(accountChanges.userId, userId);
  const rows = await db.select().from(accountChanges).where(and(isOfUser, isWaiting));
  return rows.find(isNewPassword);
}

/** Every change of a person that is stored, also those that are over. */
export function findChanges(db: Queryable, userId: string): Promise<AccountChange[]> {
  return db.select().from(accountChanges).where(eq(accountChanges.userId, userId));
}

/** Deletes everything that a person has changed or asked for. */
export async function deleteChanges(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(accountChanges).where(eq(accountChanges.userId, userId));
}

/** Changes that give addresses a say: those that can be undone, and those that were undone lately. */
export function findLiveChanges(
  db: Queryable,
  userId: string,
  now: Date,
): Promise<AccountChange[]> {
  return db
    .select()
    .from(accountChanges)
    .where(and(eq(accountChanges.userId, userId), gt(accountChanges.objectionUntil, now)));
}

/** @param objectionUntil until when its new address has a say */
export async function setUndone(
  tx: Queryable,
  id: string,
  { now: undoneAt, objectionUntil }: { now: Date; objectionUntil: Date },
): Promise<void> {
  await tx
    .update(accountChanges)
    .set({ undoneAt, objectionUntil })
    .where(eq(accountChanges.id, id));
}

/** Nobody has objected in time; a new address was confirmed as well. */
const isDue = (now: Date) =>
  and(
    isWaiting,
    lte(accountChanges.takesEffectAt, now),
    or(eq(accountChanges.slot, 'password'), isNotNull(accountChanges.confirmedAt)),
  );

/**
 * Locks somebody and a change of theirs that takes effect by now, the longest due first. Those whom
 * another transaction has locked are skipped, and found again by the next pass.
 */
export async function lockUserWithDue(
  tx: Queryable,
  { now, except }: { now: Date; except: string[] },
): Promise<{ user: Account; change: AccountChange } | undefined> {
  const [row] = await tx
    .select({ user: ACCOUNT_COLUMNS, change: accountChanges })
    .from(users)
    .innerJoin(accountChanges, eq(accountChanges.userId, users.id))
    .where(and(isDue(now), except.length > 0 ? notInArray(accountChanges.id, except) : undefined))
    .orderBy(asc(accountChanges.takesEffectAt))
    .limit(1)
    .for('no key update', { of: [users, accountChanges], skipLocked: true });
  return row;
}
