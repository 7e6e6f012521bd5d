import { DAY_MS, PASSWORD_WAITS_DAYS } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import {
  type AddressChange,
  addressesOf,
  deleteChanges,
  deletePendingChanges,
  deleteUndoneChanges,
  findLiveChanges,
} from '../../db/accounts/addresses.ts';
import { isInvitedPerson } from '../../db/accounts/invitations.ts';
import { lockUserByLink } from '../../db/accounts/link-tokens.ts';
import {
  deletePendingPassword,
  findPendingPassword,
  lockUserWithDuePassword,
  putPendingPassword,
  takeDuePassword,
} from '../../db/accounts/pending-passwords.ts';
import { type Account, lockUser, updateUser } from '../../db/accounts/users.ts';
import { deleteRecoveryCodes } from '../../db/doors/recovery-codes.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queuePasswordChangedMail, queuePasswordWaitingMails } from '../emails/notices.ts';
import { usedLink } from './link-tokens.ts';

/** A password that was set by a link. */
interface NewPassword {
  passwordHash: string;
  /** The address that the link was emailed to. */
  sentTo: string;
}

type PasswordDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'sessions' | 'mailQueued'>;

/**
 * Sets a password. If other addresses have a say in the account, they are asked and it waits, so
 * that nobody can take an account from one address. @returns when it takes effect without an
 * answer; null if it has taken effect
 */
export async function setNewPassword(
  tx: Queryable,
  deps: PasswordDeps,
  user: Account,
  password: NewPassword,
): Promise<Date | null> {
  const now = deps.clock.now();
  const others = await findOthers(tx, user, password.sentTo, now);
  if (others.length === 0) {
    await activatePassword(tx, deps, user, password);
    return null;
  }
  const takesEffectAt = new Date(now.getTime() + PASSWORD_WAITS_DAYS * DAY_MS);
  await putPendingPassword(tx, { ...password, userId: user.id, createdAt: now, takesEffectAt });
  await queuePasswordWaitingMails(tx, deps, { userId: user.id, asked: others });
  return takesEffectAt;
}

/** An address that a change has brought gets no say if the change is undone within this time. */
const UNDONE_AT_ONCE_MS = 3_600_000;

/** The addresses that have a say in an account because of a change. */
function sayOf(change: AddressChange): (string | null)[] {
  const { previousMain, previousSecond, newAddress, confirmedAt, undoneAt } = change;
  if (!undoneAt) return [previousMain, previousSecond];
  const stoodMs = undoneAt.getTime() - (confirmedAt ?? undoneAt).getTime();
  return stoodMs < UNDONE_AT_ONCE_MS ? [] : [newAddress];
}

/**
 * The addresses besides `except` that have a say in an account: its own, those that can still undo
 * a change, and those whose change was undone after an hour or more. None if `except` is the main
 * address and nobody has confirmed it: a stranger may have registered it, and given the others.
 */
export async function findOthers(
  tx: Queryable,
  user: Account,
  except: string,
  now: Date,
): Promise<string[]> {
  if (except === user.email && !user.emailVerifiedAt) return [];
  const others = new Set(addressesOf(user));
  for (const change of await findLiveChanges(tx, user.id, now)) {
    for (const address of sayOf(change)) if (address) others.add(address);
  }
  others.delete(except);
  return [...others];
}

/** Makes a password the account's, ends every session, and tells the account's addresses. */
async function activatePassword(
  tx: Queryable,
  deps: PasswordDeps,
  user: Account,
  { passwordHash, sentTo }: NewPassword,
): Promise<void> {
  await updateUser(tx, user.id, { passwordHash });
  await deletePendingPassword(tx, user.id);
  await deleteUndoneChanges(tx, user.id);
  // Whoever asked for these changes knew the old password, and may be the reason for the new one.
  await deletePendingChanges(tx, user.id, null);
  if (sentTo === user.email && !user.emailVerifiedAt) await confirmMain(tx, deps, user.id);
  await deps.sessions.endAll(user.id, tx);
  for (const email of addressesOf(user)) {
    await queuePasswordChangedMail(tx, deps, { id: user.id, email });
  }
}

/**
 * Notes that the main address is confirmed for the first time. Whoever registered it may have been
 * a stranger. So the other addresses and a pending password, which may be the stranger's, are taken
 * off.
 */
export async function confirmMain(
  tx: Queryable,
  { clock }: Pick<Deps, 'clock'>,
  userId: string,
): Promise<void> {
  await updateUser(tx, userId, { emailVerifiedAt: clock.now(), secondEmail: null });
  await deleteChanges(tx, userId);
  await deletePendingPassword(tx, userId);
  await deleteRecoveryCodes(tx, userId);
}

/**
 * Confirms the main address, by a link that was emailed there or for an operator. A second time
 * changes nothing. @param user locked, so that nobody can invite them meanwhile @returns false for
 * somebody who is invited: the password may be somebody else's, and only an invitation link asks for
 * a new one
 */
export async function verifyMain(
  tx: Queryable,
  deps: Pick<Deps, 'clock'>,
  user: Account,
): Promise<boolean> {
  if (user.emailVerifiedAt) return true;
  if (await isInvitedPerson(tx, user.id)) return false;
  await confirmMain(tx, deps, user.id);
  return true;
}

/**
 * Activates one password to which nobody has objected in time. Several processes can do this at
 * once. @returns whether there was one, so that there may be more
 */
export async function activateDuePassword(deps: PasswordDeps): Promise<boolean> {
  const user = await deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const user = await lockUserWithDuePassword(tx, now);
    // Its owner may have signed in with the old one meanwhile.
    const due = user && (await takeDuePassword(tx, user.id, now));
    if (due) await activatePassword(tx, deps, user, due);
    return user;
  });
  if (user) deps.mailQueued();
  return user !== undefined;
}

/**
 * Ends the wait of a new password, as a yes from another address does: for whatever else proves that
 * the owner has set it. @param passwordHash the one that was proven @returns false if no such
 * password waits any more
 */
export async function activatePendingPassword(
  tx: Queryable,
  deps: PasswordDeps,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<boolean> {
  const user = await lockUser(tx, userId);
  const pending = user && (await findPendingPassword(tx, userId));
  if (!pending || pending.passwordHash !== passwordHash) return false;
  await activatePassword(tx, deps, user, pending);
  return true;
}

/**
 * Takes the answer of an address that was asked about a new password, by a link that works once.
 * @throws INVALID_ADDRESS_LINK
 */
export async function answerNewPassword(
  deps: PasswordDeps,
  { token, isMine }: { token: string; isMine: boolean },
): Promise<void> {
  const link = usedLink(deps, 'answer-password', token);
  await deps.db.transaction(async (tx) => {
    const user = (await lockUserByLink(tx, link))?.user;
    // Checked again under the lock: somebody may have answered meanwhile, or set another password.
    const isOpen = user && (await lockUserByLink(tx, link));
    const pending = isOpen && (await findPendingPassword(tx, user.id));
    if (!pending) throw new AppError('INVALID_ADDRESS_LINK');
    if (isMine) await activatePassword(tx, deps, user, pending);
    else await deletePendingPassword(tx, user.id);
  });
  deps.mailQueued();
}
