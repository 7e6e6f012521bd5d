import { DAY_MS, PASSWORD_WAITS_DAYS, UNDO_DAYS } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { later } from '../../clock/clock.ts';
import {
  type AccountChange,
  deleteChanges,
  deleteWaiting,
  findLiveChanges,
  isNewPassword,
  isOfAddress,
  lockUserWithDue,
  type NewPassword,
  putWaiting,
  takeWaiting,
} from '../../db/accounts/account-changes.ts';
import { addressesOf, findUserAt } from '../../db/accounts/addresses.ts';
import { isInvitedPerson } from '../../db/accounts/invitations.ts';
import { lockUserByLink } from '../../db/accounts/link-tokens.ts';
import { type Account, lockUser, updateUser } from '../../db/accounts/users.ts';
import { deleteOthersKeys, type NewKeys } from '../../db/doors/passkeys.ts';
import { deleteNewLinks } from '../../db/drafts/contributions.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails, toEach } from '../emails/queue.ts';
import { applyChange } from './address-changes.ts';
import { usedLink } from './link-tokens.ts';
import { endPasskeyChoice } from './passkey-choice.ts';

/** A password that was set by a link, and the address that the link was emailed to. */
type SetPassword = Pick<NewPassword, 'passwordHash' | 'sentTo'>;

type PasswordDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'sessions' | 'mailQueued'>;

/**
 * Sets a password. If other addresses have a say in the account, they are asked and it waits, so
 * that nobody can take an account from one address.
 * @param password.lacksPasskey makes it wait in any case: the account wants a passkey on new devices
 * @returns when it takes effect without an answer; null if it has taken effect
 */
export async function setNewPassword(
  tx: Queryable,
  deps: PasswordDeps,
  user: Account,
  { lacksPasskey, ...password }: SetPassword & { lacksPasskey: boolean },
): Promise<Date | null> {
  const now = deps.clock.now();
  const others = await findOthers(tx, user, password.sentTo, now);
  if (others.length === 0 && !lacksPasskey) {
    await activatePassword(tx, deps, user, password);
    return null;
  }
  const takesEffectAt = later(now, PASSWORD_WAITS_DAYS * DAY_MS);
  const waiting = { id: deps.ids.uuid(), userId: user.id, slot: 'password' as const };
  await putWaiting(tx, { ...waiting, ...password, createdAt: now, takesEffectAt });
  // The address of the link has no say, but is told how long there is time to stop it.
  const told = lacksPasskey ? [...others, password.sentTo] : others;
  await queueEmails(tx, deps, 'password-waiting', toEach(user.id, told));
  return takesEffectAt;
}

/** The addresses that have a say in an account because of a change. */
function sayOf({ previousMain, previousSecond, newAddress, undoneAt }: AccountChange) {
  return undoneAt ? [newAddress] : [previousMain, previousSecond];
}

/**
 * The addresses besides `except` that have a say in an account: its own, those that can still undo
 * a change, and those whose change was undone lately. None if `except` is the main
 * address and nobody has confirmed it: a stranger may have registered it, and given the others.
 */
export async function findOthers(
  tx: Queryable,
  user: Pick<Account, 'id' | 'email' | 'secondEmail' | 'emailVerifiedAt'>,
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
  { passwordHash, sentTo }: SetPassword,
): Promise<void> {
  await updateUser(tx, user.id, { passwordHash });
  // Whoever asked for these changes knew the old password, and may be the reason for the new one.
  await deleteWaiting(tx, user.id, ['main', 'second', 'password']);
  if (sentTo === user.email && !user.emailVerifiedAt) await confirmMain(tx, deps, user.id);
  await deps.sessions.endAll(user.id, tx);
  const keys = newKeys(deps);
  await deleteOthersKeys(tx, user.id, keys, keys.passkeysSince);
  await deleteNewLinks(tx, user.id, keys.passkeysSince);
  await queueEmails(tx, deps, 'password-changed', toEach(user.id, addressesOf(user)));
}

/**
 * Activates a password to which nobody has objected, or another address has agreed. New devices then
 * need no passkey any more: whoever has lost theirs and all recovery codes gets in like this.
 */
async function activateAsked(
  tx: Queryable,
  deps: PasswordDeps,
  user: Account,
  password: SetPassword,
): Promise<void> {
  await activatePassword(tx, deps, user, password);
  await endPasskeyChoice(tx, deps, user);
}

/**
 * Which passkeys and identities can still be undone. Where an account is taken back, those go: whoever
 * knew the password until now may have added them.
 */
export function newKeys({ clock, config }: Pick<Deps, 'clock' | 'config'>): NewKeys {
  const now = clock.now();
  const passkeysSince = later(now, -UNDO_DAYS * DAY_MS);
  return { passkeysSince, identitiesAt: now, passwordsOff: !config.passwordSignIn };
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
  await deleteOthersKeys(tx, userId);
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
 * Puts one change into effect to which nobody has objected in time: a new password, or an address that
 * an operator has set. Several processes can do this at once. @returns whether there was one, so
 * that there may be more
 */
export async function activateDueChange(
  deps: PasswordDeps,
  { except, begin }: { except: string[]; begin: (id: string) => void },
): Promise<boolean> {
  const found = await deps.db.transaction(async (tx) => {
    const due = await lockUserWithDue(tx, { now: deps.clock.now(), except });
    if (!due) return undefined;
    begin(due.change.id);
    await activate(tx, deps, due.user, due.change);
    return due;
  });
  if (found) deps.mailQueued();
  return found !== undefined;
}

async function activate(
  tx: Queryable,
  deps: PasswordDeps,
  user: Account,
  change: AccountChange,
): Promise<void> {
  if (isNewPassword(change)) return activateAsked(tx, deps, user, change);
  if (!isOfAddress(change)) return;
  const now = deps.clock.now();
  const { id } = await findUserAt(tx, change.newAddress ?? '', { userId: user.id, now });
  // Somebody may have registered with the address in the moment in which it was confirmed.
  if (id && id !== user.id) await takeWaiting(tx, change.id);
  else await applyChange(tx, deps, user, change);
}

/**
 * Ends the wait of a new password, as a yes from another address does: for whatever else proves that
 * the owner has set it. @param id of the one that was proven @returns false if it doesn't wait any
 * more
 */
export async function activatePendingPassword(
  tx: Queryable,
  deps: PasswordDeps,
  { userId, id }: { userId: string; id: string },
): Promise<boolean> {
  const user = await lockUser(tx, userId);
  const waiting = await takeWaiting(tx, id);
  if (!user || !waiting || !isNewPassword(waiting)) return false;
  await activatePassword(tx, deps, user, waiting);
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
  await deps.db.transaction(async (tx) => {
    const link = await lockUserByLink(tx, usedLink(deps, 'answer-password', token));
    const waiting = link?.subjectId ? await takeWaiting(tx, link.subjectId) : undefined;
    if (!link || !waiting || !isNewPassword(waiting)) throw new AppError('INVALID_ADDRESS_LINK');
    if (isMine) await activateAsked(tx, deps, link.user, waiting);
  });
  deps.mailQueued();
}
