import type { WhichAddress } from '../../../shared/api/addresses.ts';
import { AppError } from '../../app-error.ts';
import { hashToken } from '../../auth/token-hash.ts';
import { nameless } from '../../client-limits.ts';
import {
  addressesOf,
  deleteChange,
  deleteLinksOf,
  deletePendingChanges,
  findAddressLink,
  findChange,
  findLiveChanges,
  findUserAt,
  isReserved,
  mergeInvited,
  setAddresses,
  undoSince,
} from '../../db/accounts/addresses.ts';
import { lockAgainstCapsules } from '../../db/accounts/invitations.ts';
import { deletePendingPassword } from '../../db/accounts/pending-passwords.ts';
import { lockUser, updateUser } from '../../db/accounts/users.ts';
import { uniqueViolation } from '../../db/errors.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queueChangeUndoneMails, queuePasswordResetMail } from '../emails/notices.ts';
import { applyChange, emailTaken } from './address-changes.ts';

/**
 * Confirms a new address by its link, once. An invited person with that address becomes part of the
 * account, if whoever pressed is signed in to it: somebody else could have asked for their address,
 * and would get their letters by one press of theirs. So does an account that nobody has confirmed
 * and that has sealed nothing.
 * @param pressedBy who is signed in where the link was pressed; null for nobody
 * @throws INVALID_ADDRESS_LINK; EMAIL_TAKEN, and then the link can be tried again
 */
export async function confirmAddress(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'sessions' | 'mailQueued' | 'filesReleased'>,
  { token, pressedBy }: { token: string; pressedBy: string | null },
): Promise<{ slot: WhichAddress; email: string; canUndo: boolean }> {
  const confirmed = await takenIfNotUnique(() =>
    deps.db.transaction(async (tx) => {
      const { user, change } = await useLink(tx, deps, { token, purpose: 'confirm' });
      const { slot, newAddress: email } = change;
      if (change.confirmedAt || !email) throw new AppError('INVALID_ADDRESS_LINK');
      await deleteLinksOf(tx, change.id);
      if (slot === 'main') await takeOverAddress(tx, deps, { email, userId: user.id, pressedBy });
      const canUndo = await applyChange(tx, deps, user, change);
      // Last: whoever left the address meanwhile has reserved it in the same moment.
      const now = deps.clock.now();
      if (await isReserved(tx, email, { now, exceptOf: user.id })) throw emailTaken();
      return { slot, email, canUndo };
    }),
  );
  deps.mailQueued();
  deps.filesReleased();
  return confirmed;
}

/** @throws EMAIL_TAKEN */
async function takeOverAddress(
  tx: Queryable,
  { config }: Pick<Deps, 'config'>,
  { email, userId, pressedBy }: { email: string; userId: string; pressedBy: string | null },
): Promise<void> {
  const condition = { isVerified: config.emailVerification };
  const holder = await findUserAt(tx, email, condition);
  if (!holder || holder.id === userId) return;
  await lockAgainstCapsules(tx, holder.id);
  // Again: they may have confirmed the address before they were locked.
  const locked = await findUserAt(tx, email, condition);
  if (locked?.isTaken) throw emailTaken();
  if (locked && pressedBy !== userId) {
    const message =
      'Something is waiting for this address already. Please sign in to the account you want to use it for, and open this link again there.';
    throw new AppError('EMAIL_TAKEN', { message });
  }
  if (locked) await mergeInvited(tx, { from: locked.id, to: userId, email });
}

/**
 * Brings back both addresses of before a change. Whoever made it knew the password and may be
 * signed in: the sessions end, no password counts, and the main address gets a link for a new one.
 * Where the change has not been confirmed, it is only withdrawn.
 * @returns whether there was something to bring back @throws INVALID_ADDRESS_LINK, EMAIL_TAKEN
 */
export async function undoChange(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'passwords' | 'sessions' | 'mailQueued'>,
  token: string,
): Promise<{ wasConfirmed: boolean }> {
  const { clock } = deps;
  // Checked first, so that a guessed token does not cost a password hash.
  const link = { tokenHash: hashToken(token), purpose: 'undo' as const, now: clock.now() };
  if (!(await findAddressLink(deps.db, link))) throw new AppError('INVALID_ADDRESS_LINK');
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
      // The sweep has removed it in this moment, and nobody would be asked about a new password.
      if (undone.length === 0) throw new AppError('INVALID_ADDRESS_LINK');
      for (const { id } of undone) await deleteLinksOf(tx, id);
      await deletePendingChanges(tx, user.id, null);
      await setAddresses(tx, user.id, { email: previousMain, secondEmail: previousSecond });
      // Whoever undoes it may hold another address, so the main one is as unknown as it was.
      const emailVerifiedAt = previousMainConfirmed ? user.emailVerifiedAt : null;
      await updateUser(tx, user.id, { passwordHash, emailVerifiedAt });
      await deletePendingPassword(tx, user.id);
      await deps.sessions.endAll(user.id, tx);
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
 * Locks the link's person and reads its change, which nobody else changes from now on.
 * @throws INVALID_ADDRESS_LINK when the link is unknown, used or expired
 */
async function useLink(
  tx: Queryable,
  { clock }: Pick<Deps, 'clock'>,
  { token, purpose }: { token: string; purpose: 'confirm' | 'undo' },
) {
  const asked = { tokenHash: hashToken(token), purpose, now: clock.now() };
  const found = await findAddressLink(tx, asked);
  const user = found && (await lockUser(tx, found.userId));
  // Again: another link of this person may have been used meanwhile.
  const link = user && (await findAddressLink(tx, asked));
  const change = link?.changeId ? await findChange(tx, link.changeId) : undefined;
  if (!user || !change || change.undoneAt) throw new AppError('INVALID_ADDRESS_LINK');
  return { user, change };
}

/** Somebody else has got the address in this moment. */
async function takenIfNotUnique<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw uniqueViolation(error)?.startsWith('users_') ? emailTaken() : error;
  }
}
