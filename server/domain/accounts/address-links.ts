import type { AddressSlot, lookAtLink as endpoint } from '../../../shared/api/addresses.ts';
import type { BodyOf } from '../../../shared/api/endpoint.ts';
import { DAY_MS, MINUTE_MS, SAY_DAYS, UNDONE_AT_ONCE_MINUTES } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { nameless } from '../../client-limits.ts';
import { later } from '../../clock/clock.ts';
import {
  type AccountChange,
  confirmWaiting,
  deleteWaiting,
  findAddressChange,
  findLiveChanges,
  setUndone,
  takeWaiting,
} from '../../db/accounts/account-changes.ts';
import { addressesOf, mergeInvited, setAddresses } from '../../db/accounts/addresses.ts';
import { lockAgainstCapsules } from '../../db/accounts/invitations.ts';
import { findLink, lockUserByLink } from '../../db/accounts/link-tokens.ts';
import { ENDED_PASSWORD } from '../../db/accounts/users.ts';
import { deleteOthersKeys } from '../../db/doors/passkeys.ts';
import { deleteNewLinks } from '../../db/drafts/contributions.ts';
import { uniqueViolation } from '../../db/errors.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails, toEach } from '../emails/queue.ts';
import { applyChange, type Confirmed, emailTaken, findUnclaimedHolder } from './address-changes.ts';
import { askedOf, whatChangedFor } from './address-words.ts';
import { usedLink } from './link-tokens.ts';
import { newKeys } from './new-password.ts';

/**
 * What a link is for, as its email says. It knows no more than that, and uses nothing up.
 * @throws INVALID_ADDRESS_LINK
 */
export async function lookAtLink(
  deps: Pick<Deps, 'db' | 'clock'>,
  { token, purpose }: BodyOf<typeof endpoint>,
): Promise<string> {
  const link = await findLink(deps.db, usedLink(deps, purpose, token));
  const change = link?.subjectId && (await findAddressChange(deps.db, link.subjectId));
  if (!link || !change || (purpose === 'undo' ? change.undoneAt : change.confirmedAt))
    throw new AppError('INVALID_ADDRESS_LINK');
  if (purpose === 'confirm') return askedOf(change, link.email);
  return `${whatChangedFor(change, link.email)}.`;
}

/**
 * Confirms a new address by the link we emailed there, which works once. If somebody was invited by
 * that address, or registered with it and neither confirmed it nor sealed anything, they are merged
 * into the account. This needs a press by somebody who is signed in to the account: otherwise a
 * thief could ask for a stranger's address, and one press by the stranger would give the thief
 * their letters.
 * @param pressedBy who is signed in where the link was pressed; null for nobody
 * @throws INVALID_ADDRESS_LINK; EMAIL_TAKEN, after which the link still works
 */
export async function confirmAddress(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'mailQueued' | 'filesReleased'>,
  { token, pressedBy }: { token: string; pressedBy: string | null },
): Promise<Confirmed> {
  const confirmed = await takenIfNotUnique(() =>
    deps.db.transaction(async (tx) => {
      const now = deps.clock.now();
      const link = await lockUserByLink(tx, usedLink(deps, 'confirm', token));
      const change = link?.subjectId ? await confirmWaiting(tx, link.subjectId, now) : undefined;
      if (!link || !change?.newAddress) throw new AppError('INVALID_ADDRESS_LINK');
      const { slot, newAddress: email, takesEffectAt } = change;
      const asked = { slot, email, userId: link.user.id };
      if (takesEffectAt > now) {
        if (await findUnclaimedHolder(tx, deps, asked)) throw emailTaken();
        return { slot, email, canUndo: false, isSwap: false, takesEffectAt };
      }
      await takeOverAddress(tx, deps, asked, pressedBy);
      const applied = await applyChange(tx, deps, link.user, change);
      return { slot, email, ...applied, takesEffectAt: null };
    }),
  );
  deps.mailQueued();
  deps.filesReleased();
  return confirmed;
}

/**
 * Checks that an address is free for this account. A main one is made free by merging an invited
 * person who has it. @throws EMAIL_TAKEN
 */
async function takeOverAddress(
  tx: Queryable,
  deps: Pick<Deps, 'clock'>,
  asked: { slot: AddressSlot; email: string; userId: string },
  pressedBy: string | null,
): Promise<void> {
  const { userId } = asked;
  const found = await findUnclaimedHolder(tx, deps, asked);
  if (!found) return;
  await lockAgainstCapsules(tx, found);
  // Checked again under the lock: they may have confirmed the address meanwhile.
  const locked = await findUnclaimedHolder(tx, deps, asked);
  if (!locked) return;
  if (pressedBy !== userId) {
    const message =
      'Something is waiting for this address already. Please sign in to the account you want to use it for, and open this link again there.';
    throw new AppError('EMAIL_TAKEN', { message });
  }
  await mergeInvited(tx, { from: locked, to: userId });
}

/**
 * Brings back both addresses from before a change, and undoes what was changed later. Whoever made
 * the change knew the password and may be signed in. So all sessions and the password end, and the
 * main address gets a link for a new one. A change that has not taken effect is only withdrawn.
 * @returns where the link goes; null if it had not taken effect @throws INVALID_ADDRESS_LINK, EMAIL_TAKEN
 */
export async function undoChange(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'sessions' | 'mailQueued'>,
  token: string,
): Promise<string | null> {
  const main = await takenIfNotUnique(() =>
    deps.db.transaction(async (tx) => {
      const link = await lockUserByLink(tx, usedLink(deps, 'undo', token));
      if (!link?.subjectId) throw new AppError('INVALID_ADDRESS_LINK');
      const { user, subjectId: id } = link;
      const now = deps.clock.now();
      const undone = await undoSince(tx, { id, userId: user.id, now });
      const change = undone.find((one) => one.id === id);
      if (!change?.previousMain) {
        if (await takeWaiting(tx, id)) return null;
        throw new AppError('INVALID_ADDRESS_LINK');
      }
      const { previousMain: email, previousSecond: secondEmail } = change;
      // The link may have been pressed at the other address, so it proves nothing about the main
      // one.
      const emailVerifiedAt = change.previousMainConfirmed ? user.emailVerifiedAt : null;
      const before = { email, secondEmail, emailVerifiedAt, passwordHash: ENDED_PASSWORD };
      await setAddresses(tx, user.id, { ...before, addressAskedAt: now });
      await deps.sessions.endAll(user.id, tx);
      // Whoever made the change may have made them.
      const keys = newKeys(deps);
      await deleteOthersKeys(tx, user.id, keys);
      await deleteNewLinks(tx, user.id, keys.passkeysSince);
      await queueEmails(tx, deps, 'password-reset', [
        { id: null, email, aboutId: id, requestedBy: nameless(`undo ${id}`) },
      ]);
      const involved = undone.flatMap(({ newAddress }) => newAddress ?? []);
      const told = new Set([
        ...involved,
        ...addressesOf({ email, secondEmail }),
        ...addressesOf(user),
      ]);
      told.delete(email);
      await queueEmails(tx, deps, 'change-undone', toEach(user.id, [...told]));
      return email;
    }),
  );
  deps.mailQueued();
  return main;
}

/**
 * Undoes a change and those that took effect after it, and deletes what waits. The new address of each
 * has a say for a while, but not one that is new itself. The person is locked.
 * @returns the undone changes. None if this one can't be undone: then nothing is deleted either
 */
export async function undoSince(
  tx: Queryable,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<AccountChange[]> {
  const live = await findLiveChanges(tx, userId, now);
  const undoable = live.filter(({ undoneAt }) => undoneAt === null);
  const change = undoable.find((one) => one.id === id);
  if (!change) return [];
  const undone = undoable.filter((one) => one.takesEffectAt >= change.takesEffectAt);
  const newSince = later(now, -UNDONE_AT_ONCE_MINUTES * MINUTE_MS);
  const sayUntil = later(now, SAY_DAYS * DAY_MS);
  for (const one of undone) {
    const objectionUntil = one.takesEffectAt > newSince ? now : sayUntil;
    await setUndone(tx, one.id, { now, objectionUntil });
  }
  await deleteWaiting(tx, userId, ['main', 'second', 'password']);
  return undone;
}

/** Answers EMAIL_TAKEN if somebody else has got the address in this moment. */
async function takenIfNotUnique<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw uniqueViolation(error)?.startsWith('users_') ? emailTaken() : error;
  }
}
