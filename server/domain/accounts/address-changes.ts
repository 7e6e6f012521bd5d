import type { WhichAddress } from '../../../shared/api/addresses.ts';
import { ADDRESS_LINK_HOURS, DAY_MS, UNDO_DAYS } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import {
  addressesOf,
  deleteChange,
  findUserAt,
  insertChange,
  isReserved,
  setAddresses,
  updateChange,
} from '../../db/accounts/addresses.ts';
import { deletePendingPassword } from '../../db/accounts/pending-passwords.ts';
import { type Account, updateUser } from '../../db/accounts/users.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queueAddressChangedMails, queueConfirmAddressMail } from '../emails/notices.ts';

const HOUR_MS = 3_600_000;

/** A change of one of the addresses, as somebody asks for it. */
export interface NewChange {
  slot: WhichAddress;
  /** Null removes the second address. */
  email: string | null;
}

/**
 * Begins a change and emails the link that confirms it to the new address. @param afterDays days in
 * which others can object before that link is sent
 */
export async function askToConfirm(
  tx: Queryable,
  deps: Pick<Deps, 'clock' | 'ids'>,
  {
    user,
    slot,
    email,
    afterDays = 0,
  }: { user: Account; slot: WhichAddress; email: string; afterDays?: number },
): Promise<{ id: string; expiresAt: Date }> {
  const change = newChange(deps, user, { slot, email });
  const waitMs = afterDays * DAY_MS + ADDRESS_LINK_HOURS * HOUR_MS;
  const expiresAt = later(change.createdAt, waitMs);
  await insertChange(tx, { ...change, expiresAt });
  await queueConfirmAddressMail(tx, deps, { change: change.id, user, email });
  return { ...change, expiresAt };
}

/** The row of a change that is not confirmed yet. */
export function newChange(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  { id: userId, email, secondEmail }: Account,
  change: NewChange,
) {
  const createdAt = clock.now();
  return {
    id: ids.uuid(),
    userId,
    slot: change.slot,
    newAddress: change.email,
    previousMain: email,
    previousSecond: secondEmail,
    createdAt,
    expiresAt: later(createdAt, UNDO_DAYS * DAY_MS),
  };
}

/** When the link that confirms a change is sent. It works until the change expires. */
export function confirmableFrom({ expiresAt }: { expiresAt: Date }): Date {
  return later(expiresAt, -ADDRESS_LINK_HOURS * HOUR_MS);
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/**
 * Puts a change into effect, and tells the addresses that the account had before. If the main
 * address stays the same, the change only confirms it. @returns whether the change can be undone
 * @throws INVALID_ADDRESS_LINK if it has just expired and was deleted
 */
export async function applyChange(
  tx: Queryable,
  deps: Pick<Deps, 'clock' | 'ids'>,
  before: Account,
  { id, slot, newAddress }: { id: string; slot: WhichAddress; newAddress: string | null },
): Promise<boolean> {
  const now = deps.clock.now();
  if (slot === 'main' && newAddress === before.email) {
    await updateUser(tx, before.id, { emailVerifiedAt: before.emailVerifiedAt ?? now });
    await deleteChange(tx, id);
    return false;
  }
  const isThere = await updateChange(tx, id, {
    previousMain: before.email,
    previousMainConfirmed: before.emailVerifiedAt !== null,
    previousSecond: before.secondEmail,
    confirmedAt: now,
    expiresAt: later(now, UNDO_DAYS * DAY_MS),
  });
  if (!isThere) throw new AppError('INVALID_ADDRESS_LINK');
  if (slot === 'second') {
    await setAddresses(tx, before.id, { secondEmail: newAddress });
  } else if (newAddress) {
    // If the second address becomes the main one, there is no second one any more.
    const secondEmail = before.secondEmail === newAddress ? null : before.secondEmail;
    const change = { email: newAddress, secondEmail, emailVerifiedAt: now };
    await setAddresses(tx, before.id, change);
  }
  // The new address was not asked about a pending password.
  await deletePendingPassword(tx, before.id);
  const told = addressesOf(before).filter((address) => address !== newAddress);
  await queueAddressChangedMails(tx, deps, { change: id, userId: before.id, told });
  return true;
}

/**
 * @throws EMAIL_TAKEN if the address is another account's, or if somebody can still take it back
 */
export async function checkIsFree(
  tx: Queryable,
  { clock }: Pick<Deps, 'clock'>,
  { email, userId }: { email: string; userId: string },
): Promise<void> {
  const found = await findUserAt(tx, email);
  const reserved = await isReserved(tx, email, { now: clock.now(), exceptOf: userId });
  if (found?.isTaken || reserved) throw emailTaken();
}

export function emailTaken(): AppError {
  const { message } = new AppError('EMAIL_TAKEN');
  return new AppError('EMAIL_TAKEN', { errors: { email: message } });
}
