import { DAY_MS, PASSWORD_WAITS_DAYS } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { hashToken } from '../../auth/token-hash.ts';
import {
  type AddressChange,
  addressesOf,
  deleteChanges,
  deletePendingChanges,
  deleteUndoneChanges,
  findAddressLink,
  findLiveChanges,
} from '../../db/accounts/addresses.ts';
import { deletePasswordResets, setEmailVerified } from '../../db/accounts/link-tokens.ts';
import {
  deletePendingPassword,
  findPendingPassword,
  lockUserWithDuePassword,
  putPendingPassword,
  takeDuePassword,
} from '../../db/accounts/pending-passwords.ts';
import { type Account, lockUser, updateUser } from '../../db/accounts/users.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queuePasswordChangedMail, queuePasswordWaitingMails } from '../emails/notices.ts';

/** A password that was set by a link to one of the person's addresses. */
interface NewPassword {
  passwordHash: string;
  sentTo: string;
}

type PasswordDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'sessions' | 'mailQueued'>;

/**
 * Sets a password at once, or lets it wait where another address has a say: nobody takes an account
 * from one address. @returns from when on it counts without an answer; null if it counts
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

/** A change that was undone sooner gives its address no say: all is as it was before. */
const UNDONE_AT_ONCE_MS = 3_600_000;

/** The addresses that have a say in an account because of a change. */
function sayOf(change: AddressChange): (string | null)[] {
  const { previousMain, previousSecond, newAddress, confirmedAt, undoneAt } = change;
  if (!undoneAt) return [previousMain, previousSecond];
  const stoodMs = undoneAt.getTime() - (confirmedAt ?? undoneAt).getTime();
  return stoodMs < UNDONE_AT_ONCE_MS ? [] : [newAddress];
}

/**
 * Who has a say in an account besides one address: its other address, those of before that can still
 * undo a change, and those that a change had brought and that were undone after an hour or more. None
 * besides a main address that nobody has confirmed: a stranger may have registered it, and the other
 * addresses are theirs.
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

/** The password is the person's from now on, and every session ends. */
async function activatePassword(
  tx: Queryable,
  deps: PasswordDeps,
  user: Account,
  { passwordHash, sentTo }: NewPassword,
): Promise<void> {
  await updateUser(tx, user.id, { passwordHash });
  await deletePendingPassword(tx, user.id);
  await deleteUndoneChanges(tx, user.id);
  // Whoever asked for them knew the password of before, and may be why there is another one.
  await deletePendingChanges(tx, user.id, null);
  if (sentTo === user.email && !user.emailVerifiedAt) await confirmMain(tx, deps, user.id);
  await deps.sessions.endAll(user.id, tx);
  for (const email of addressesOf(user)) {
    await queuePasswordChangedMail(tx, deps, { id: user.id, email });
  }
}

/**
 * A link proves for the first time that the person owns the main address. Every other address, and a
 * password that waits, was given by whoever registered, perhaps a stranger, so it is taken off.
 */
export async function confirmMain(
  tx: Queryable,
  { clock }: Pick<Deps, 'clock'>,
  userId: string,
): Promise<void> {
  await updateUser(tx, userId, { emailVerifiedAt: clock.now(), secondEmail: null });
  await deleteChanges(tx, userId);
  await deletePasswordResets(tx, userId);
  await deletePendingPassword(tx, userId);
}

/**
 * Confirms the main address by a link in it, or by the operator's word. Verifying twice changes
 * nothing. @returns false for somebody who was invited: only the link of an invitation confirms them
 */
export async function verifyMain(
  tx: Queryable,
  deps: Pick<Deps, 'clock'>,
  userId: string,
): Promise<boolean> {
  const before = await lockUser(tx, userId);
  if (!(await setEmailVerified(tx, userId, deps.clock.now()))) return false;
  if (!before?.emailVerifiedAt) await confirmMain(tx, deps, userId);
  return true;
}

/**
 * Activates one password to which nobody has objected in time. Several processes may do this at once.
 * @returns whether somebody had one, so that there may be more
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
 * Answers for one of the other addresses whether a new password is its owner's, once.
 * @throws INVALID_ADDRESS_LINK
 */
export async function answerNewPassword(
  deps: PasswordDeps,
  { token, isMine }: { token: string; isMine: boolean },
): Promise<void> {
  const asked = { tokenHash: hashToken(token), purpose: 'answer-password' as const };
  await deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const found = await findAddressLink(tx, { ...asked, now });
    const user = found && (await lockUser(tx, found.userId));
    // Again: it may have been answered or replaced meanwhile.
    const isOpen = user && (await findAddressLink(tx, { ...asked, now }));
    const pending = isOpen && (await findPendingPassword(tx, user.id));
    if (!pending) throw new AppError('INVALID_ADDRESS_LINK');
    if (isMine) await activatePassword(tx, deps, user, pending);
    else await deletePendingPassword(tx, user.id);
  });
  deps.mailQueued();
}
