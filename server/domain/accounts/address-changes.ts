import type { AddressSlot } from '../../../shared/api/addresses.ts';
import { ADDRESS_LINK_HOURS, DAY_MS, HOUR_MS, UNDO_DAYS } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { later } from '../../clock/clock.ts';
import {
  type AddressChange,
  deleteWaiting,
  putInEffect,
  putWaiting,
  takeWaiting,
} from '../../db/accounts/account-changes.ts';
import {
  addressesOf,
  findUserAt,
  isFreeAsSecond,
  setAddresses,
} from '../../db/accounts/addresses.ts';
import { type Account, updateUser } from '../../db/accounts/users.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails, toEach } from '../emails/queue.ts';

type ChangeDeps = Pick<Deps, 'clock' | 'ids'>;

/** A change of one of the addresses, as somebody asks for it. */
export interface NewChange {
  slot: AddressSlot;
  /** Null removes the second address. */
  email: string | null;
}

/** What became of a change whose link was pressed. */
export interface Confirmed {
  slot: AddressSlot;
  email: string;
  canUndo: boolean;
  /** Whether the main and the second address have changed places. */
  isSwap: boolean;
  /** Where others can object before the change takes effect: when it does. */
  takesEffectAt: Date | null;
}

/**
 * Begins a change and emails the link that confirms it to the new address.
 * @param waitsDays days in which others can object before it takes effect
 */
export async function askToConfirm(
  tx: Queryable,
  deps: ChangeDeps,
  {
    user,
    slot,
    email,
    waitsDays = 0,
  }: { user: Account; slot: AddressSlot; email: string; waitsDays?: number },
): Promise<{ id: string; takesEffectAt: Date }> {
  const createdAt = deps.clock.now();
  const takesEffectAt = later(createdAt, waitsDays * DAY_MS);
  const confirmUntil =
    waitsDays > 0 ? takesEffectAt : later(createdAt, ADDRESS_LINK_HOURS * HOUR_MS);
  const change = { id: deps.ids.uuid(), userId: user.id, slot, newAddress: email };
  await putWaiting(tx, { ...change, createdAt, confirmUntil, takesEffectAt });
  await queueEmails(tx, deps, 'confirm-address', [{ id: user.id, email, aboutId: change.id }]);
  return { id: change.id, takesEffectAt };
}

/**
 * Puts a change into effect, and tells the addresses that the account had before. If the main
 * address stays the same, the change only confirms it.
 */
export async function applyChange(
  tx: Queryable,
  deps: Pick<Deps, 'clock' | 'ids'>,
  before: Account,
  change: Pick<AddressChange, 'id' | 'slot' | 'newAddress' | 'createdAt' | 'confirmedAt'>,
): Promise<Pick<Confirmed, 'canUndo' | 'isSwap'>> {
  const { id, slot, newAddress } = change;
  const now = deps.clock.now();
  if (slot === 'main' && newAddress === before.email) {
    await updateUser(tx, before.id, { emailVerifiedAt: before.emailVerifiedAt ?? now });
    await takeWaiting(tx, id);
    return { canUndo: false, isSwap: false };
  }
  await putInEffect(tx, {
    ...change,
    userId: before.id,
    takesEffectAt: now,
    objectionUntil: later(now, UNDO_DAYS * DAY_MS),
    previousMain: before.email,
    previousMainConfirmed: before.emailVerifiedAt !== null,
    previousSecond: before.secondEmail,
  });
  let isSwap = false;
  if (slot === 'second') {
    await setAddresses(tx, before.id, { secondEmail: newAddress });
  } else if (newAddress) {
    const wasSecond = before.secondEmail === newAddress;
    // Nobody has shown that they read a main address that was never confirmed.
    isSwap =
      wasSecond &&
      before.emailVerifiedAt !== null &&
      (await isFreeAsSecond(tx, before.email, { userId: before.id, now }));
    const former = isSwap ? before.email : null;
    const secondEmail = wasSecond ? former : before.secondEmail;
    const shown = { emailVerifiedAt: now, addressAskedAt: now };
    await setAddresses(tx, before.id, { email: newAddress, secondEmail, ...shown });
  }
  // The new address was not asked about a new password that waits.
  await deleteWaiting(tx, before.id, [slot, 'password']);
  const told = addressesOf(before).filter((address) => address !== newAddress);
  await queueEmails(tx, deps, 'address-changed', toEach(before.id, told, id));
  return { canUndo: true, isSwap };
}

/**
 * @returns who has this main address without an account, such as somebody invited
 * @throws EMAIL_TAKEN if the main address is another account's, or if the address is kept for one
 */
export async function findUnclaimedHolder(
  tx: Queryable,
  { clock }: Pick<Deps, 'clock'>,
  { slot, email, userId }: { slot: AddressSlot; email: string; userId: string },
): Promise<string | null> {
  const found = await findUserAt(tx, email, { userId, now: clock.now() });
  const isOthers = slot === 'main' && found.id !== userId;
  if (found.isReserved || (isOthers && found.isTaken)) throw emailTaken();
  return isOthers ? found.id : null;
}

export function emailTaken(): AppError {
  const { message } = new AppError('EMAIL_TAKEN');
  return new AppError('EMAIL_TAKEN', { errors: { email: message } });
}
