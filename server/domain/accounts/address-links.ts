import type { WhichAddress } from '../../../shared/api/addresses.ts';
import { AppError } from '../../app-error.ts';
import { nameless } from '../../client-limits.ts';
import {
  addressesOf,
  deleteChange,
  deleteLinksOf,
  deletePendingChanges,
  findChange,
  findLiveChanges,
  findUserAt,
  isReserved,
  mergeInvited,
  setAddresses,
  undoSince,
} from '../../db/accounts/addresses.ts';
import { lockAgainstCapsules } from '../../db/accounts/invitations.ts';
import { findUserByLink, lockUserByLink } from '../../db/accounts/link-tokens.ts';
import { deletePendingPassword } from '../../db/accounts/pending-passwords.ts';
import { updateUser } from '../../db/accounts/users.ts';
import { deleteRecoveryCodes } from '../../db/doors/recovery-codes.ts';
import { uniqueViolation } from '../../db/errors.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queueChangeUndoneMails, queuePasswordResetMail } from '../emails/notices.ts';
import { applyChange, emailTaken } from './address-changes.ts';
import { usedLink } from './link-tokens.ts';

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
): Promise<{ slot: WhichAddress; email: string; canUndo: boolean }> {
  const confirmed = await takenIfNotUnique(() =>
    deps.db.transaction(async (tx) => {
      const { user, change } = await useLink(tx, deps, { token, purpose: 'confirm' });
      const { slot, newAddress: email } = change;
      if (change.confirmedAt || !email) throw new AppError('INVALID_ADDRESS_LINK');
      await deleteLinksOf(tx, change.id);
      if (slot === 'main') await takeOverAddress(tx, { email, userId: user.id, pressedBy });
      const canUndo = await applyChange(tx, deps, user, change);
      // Checked last: somebody may have left the address meanwhile, and can then take it back.
      const now = deps.clock.now();
      if (await isReserved(tx, email, { now, exceptOf: user.id })) throw emailTaken();
      return { slot, email, canUndo };
    }),
  );
  deps.mailQueued();
  deps.filesReleased();
  return confirmed;
}

/**
 * Makes a main address free for this account, by merging an invited person who has it. @throws
 * EMAIL_TAKEN
 */
async function takeOverAddress(
  tx: Queryable,
  { email, userId, pressedBy }: { email: string; userId: string; pressedBy: string | null },
): Promise<void> {
  const found = await findUserAt(tx, email);
  if (!found || found.id === userId) return;
  await lockAgainstCapsules(tx, found.id);
  // Checked again under the lock: they may have confirmed the address meanwhile.
  const locked = await findUserAt(tx, email);
  if (locked?.isTaken) throw emailTaken();
  if (locked && pressedBy !== userId) {
    const message =
      'Something is waiting for this address already. Please sign in to the account you want to use it for, and open this link again there.';
    throw new AppError('EMAIL_TAKEN', { message });
  }
  if (locked) await mergeInvited(tx, { from: locked.id, to: userId, email });
}

/**
 * Brings back both addresses from before a change. Whoever made the change knew the password and
 * may be signed in. So all sessions and the password end, and the main address gets a link for a
 * new one. A change that is not confirmed yet is only withdrawn.
 * @returns whether the change was confirmed @throws INVALID_ADDRESS_LINK, EMAIL_TAKEN
 */
export async function undoChange(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'passwords' | 'sessions' | 'mailQueued'>,
  token: string,
): Promise<{ wasConfirmed: boolean }> {
  const { clock } = deps;
  // Checked first, so that a guessed token does not cost a password hash.
  if (!(await findUserByLink(deps.db, usedLink(deps, 'undo', token))))
    throw new AppError('INVALID_ADDRESS_LINK');
  const passwordHash = await deps.passwords.hash(deps.ids.token());
  const wasConfirmed = await takenIfNotUnique(() =>
    deps.db.transaction(async (tx) => {
      const { user, change } = await useLink(tx, deps, { token, purpose: 'undo' });
      const { confirmedAt, previousMain, previousMainConfirmed, previousSecond } = change;
      if (!confirmedAt) {
        await deleteChange(tx, change.id);
        return false;
      }
      const now = clock.now();
      await undoSince(tx, { userId: user.id, confirmedAt }, now);
      const live = await findLiveChanges(tx, user.id, now);
      const undone = live.filter(({ undoneAt }) => undoneAt?.getTime() === now.getTime());
      // The sweep has just deleted the change. Without it, nobody would be asked about a new
      // password.
      if (undone.length === 0) throw new AppError('INVALID_ADDRESS_LINK');
      for (const { id } of undone) await deleteLinksOf(tx, id);
      await deletePendingChanges(tx, user.id, null);
      await setAddresses(tx, user.id, { email: previousMain, secondEmail: previousSecond });
      // The link may have been pressed at the other address, so it proves nothing about the main
      // one.
      const emailVerifiedAt = previousMainConfirmed ? user.emailVerifiedAt : null;
      await updateUser(tx, user.id, { passwordHash, emailVerifiedAt });
      await deletePendingPassword(tx, user.id);
      await deps.sessions.endAll(user.id, tx);
      // Whoever made the change may have made them. They are no loss: new ones take the password.
      await deleteRecoveryCodes(tx, user.id);
      const requestedBy = nameless(`undo ${change.id}`);
      await queuePasswordResetMail(tx, deps, { email: previousMain, requestedBy });
      const told = new Set(undone.flatMap(({ newAddress }) => newAddress ?? []));
      for (const address of addressesOf(user)) told.add(address);
      if (previousSecond) told.add(previousSecond);
      told.delete(previousMain);
      await queueChangeUndoneMails(tx, deps, { userId: user.id, told: [...told] });
      return true;
    }),
  );
  deps.mailQueued();
  return { wasConfirmed };
}

/**
 * Locks the account that a link is about, and reads the change. Nobody else can alter that until
 * the transaction ends. @throws INVALID_ADDRESS_LINK if the link is unknown, used or expired
 */
async function useLink(
  tx: Queryable,
  deps: Pick<Deps, 'clock'>,
  { token, purpose }: { token: string; purpose: 'confirm' | 'undo' },
) {
  const asked = usedLink(deps, purpose, token);
  const user = (await lockUserByLink(tx, asked))?.user;
  // Checked again under the lock: another link of this account may have been used meanwhile.
  const link = user && (await lockUserByLink(tx, asked));
  const change = link?.subjectId ? await findChange(tx, link.subjectId) : undefined;
  if (!user || !change || change.undoneAt) throw new AppError('INVALID_ADDRESS_LINK');
  return { user, change };
}

/** Answers EMAIL_TAKEN if somebody else has got the address in this moment. */
async function takenIfNotUnique<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw uniqueViolation(error)?.startsWith('users_') ? emailTaken() : error;
  }
}
