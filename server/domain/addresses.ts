import type { Addresses, WhichAddress } from '../../shared/api/addresses.ts';
import { ADDRESS_LINK_HOURS, DAY_MS, UNDO_DAYS } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import type { Actor } from '../auth/sessions.ts';
import { hashToken } from '../auth/token-hash.ts';
import { nameless } from '../client-limits.ts';
import {
  absorb,
  addressesOf,
  type BothAddresses,
  deleteChange,
  deleteLinksOf,
  deletePendingChanges,
  findAddressLink,
  findChange,
  findHolder,
  findLiveChanges,
  findOwnAddresses,
  findPendingChanges,
  insertChange,
  isReserved,
  setAddresses,
  setEmailWorks,
  undoSince,
  updateChange,
} from '../db/addresses.ts';
import { uniqueViolation } from '../db/errors.ts';
import { lockAgainstCapsules } from '../db/invitations.ts';
import type { Queryable } from '../db/open.ts';
import { deletePendingPassword } from '../db/pending-passwords.ts';
import { lockUser, updateUser } from '../db/users.ts';
import type { Deps } from '../deps.ts';
import {
  queueAddressChangedMails,
  queueChangeUndoneMails,
  queueConfirmAddressMail,
  queuePasswordResetMail,
} from './notices.ts';
import { checkOwnPassword } from './own-password.ts';

const HOUR_MS = 3_600_000;

/** A change of addresses as it is asked for. */
interface NewChange {
  which: WhichAddress;
  /** Null removes the second address. */
  email: string | null;
}

/** @throws UNAUTHENTICATED if the account is gone */
export async function getAddresses(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
): Promise<Addresses> {
  const now = clock.now();
  const own = await findOwnAddresses(db, actor.userId);
  if (!own) throw new AppError('UNAUTHENTICATED');
  const pending = await findPendingChanges(db, actor.userId, now);
  const { email, bouncedAt, secondEmail, countsFrom } = own;
  return {
    email,
    bouncedAt: bouncedAt?.toISOString() ?? null,
    secondEmail,
    pending: pending.map(({ which, newAddress, createdAt }) => ({
      which,
      email: newAddress ?? '',
      askedAt: createdAt.toISOString(),
    })),
    passwordWaitsUntil: countsFrom && countsFrom > now ? countsFrom.toISOString() : null,
  };
}

type ChangeDeps = Pick<
  Deps,
  'config' | 'db' | 'clock' | 'ids' | 'limits' | 'passwords' | 'sessions' | 'mailQueued'
>;

/**
 * Begins a change of an address. It replaces an earlier one of the same address that has not been
 * confirmed. That somebody else has the second address is said by the link in it only, so that
 * nobody else learns it. @throws VALIDATION_FAILED for a wrong password or an address that is theirs
 * already; EMAIL_TAKEN for a main address; RATE_LIMITED
 */
export async function changeAddress(
  deps: ChangeDeps,
  actor: Actor,
  { which, email, password }: NewChange & { password: string },
): Promise<void> {
  await checkOwnPassword(deps, actor, password);
  // Emails to strangers are caused by this: few by one person, and few to one address.
  await deps.limits.count('addressChange', actor.userId);
  if (email) await deps.limits.count('addressChangeTo', email);
  await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, actor.userId);
    if (!user) throw new AppError('UNAUTHENTICATED');
    checkIsNew(user, { which, email });
    await deletePendingChanges(tx, user.id, which);
    if (email) {
      if (which === 'main') await checkIsFree(tx, deps, { email, userId: user.id });
      await askToConfirm(tx, deps, { user, which, email });
    } else if (user.secondEmail) {
      const change = newChange(deps, user, { which, email });
      await insertChange(tx, change);
      await applyChange(tx, deps, user, change);
    }
  });
  deps.mailQueued();
}

function checkIsNew(own: BothAddresses, { which, email }: NewChange): void {
  const refuse = (message: string) => {
    throw new AppError('VALIDATION_FAILED', { message, errors: { email: message } });
  };
  if (email === own.email) {
    if (which === 'main') refuse('This is your main address already.');
    refuse('This is your main address. Please choose another one as the second.');
  }
  if (which === 'second' && email !== null && email === own.secondEmail) {
    refuse('This is your second address already.');
  }
}

/** @throws EMAIL_TAKEN */
async function checkIsFree(
  tx: Queryable,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { email, userId }: { email: string; userId: string },
): Promise<void> {
  const holder = await findHolder(tx, email, { isVerified: config.emailVerification });
  const reserved = await isReserved(tx, email, { now: clock.now(), exceptOf: userId });
  if (holder?.isInTheWay || reserved) throw emailTaken();
}

export function emailTaken(): AppError {
  const { message } = new AppError('EMAIL_TAKEN');
  return new AppError('EMAIL_TAKEN', { errors: { email: message } });
}

type Owner = BothAddresses & { id: string };

/** Emails the link that confirms. @param afterDays where an objection is waited for first */
export async function askToConfirm(
  tx: Queryable,
  deps: Pick<Deps, 'clock' | 'ids'>,
  {
    user,
    which,
    email,
    afterDays = 0,
  }: { user: Owner; which: WhichAddress; email: string; afterDays?: number },
): Promise<string> {
  const change = newChange(deps, user, { which, email });
  const waitMs = afterDays * DAY_MS + ADDRESS_LINK_HOURS * HOUR_MS;
  await insertChange(tx, { ...change, expiresAt: later(change.createdAt, waitMs) });
  await queueConfirmAddressMail(tx, deps, { change: change.id, user, email });
  return change.id;
}

function newChange(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  { id: userId, email, secondEmail }: Owner,
  change: NewChange,
) {
  const createdAt = clock.now();
  return {
    id: ids.uuid(),
    userId,
    which: change.which,
    newAddress: change.email,
    previousMain: email,
    previousSecond: secondEmail,
    createdAt,
    expiresAt: later(createdAt, UNDO_DAYS * DAY_MS),
  };
}

/** From then on a change can be confirmed. */
export function confirmableFrom({ expiresAt }: { expiresAt: Date }): Date {
  return later(expiresAt, -ADDRESS_LINK_HOURS * HOUR_MS);
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** The change counts from now on, and everybody who had an address of before is told. */
async function applyChange(
  tx: Queryable,
  deps: Pick<Deps, 'clock' | 'ids'>,
  before: Owner,
  { id, which, newAddress }: { id: string; which: WhichAddress; newAddress: string | null },
): Promise<void> {
  const now = deps.clock.now();
  await updateChange(tx, id, {
    previousMain: before.email,
    previousSecond: before.secondEmail,
    confirmedAt: now,
    expiresAt: later(now, UNDO_DAYS * DAY_MS),
  });
  if (which === 'second') {
    await setAddresses(tx, before.id, { secondEmail: newAddress });
  } else if (newAddress) {
    // Whose second address becomes the main one has no second one any more.
    const secondEmail = before.secondEmail === newAddress ? null : before.secondEmail;
    const change = { email: newAddress, secondEmail, emailVerifiedAt: now };
    await setAddresses(tx, before.id, change);
  }
  const told = addressesOf(before).filter((address) => address !== newAddress);
  await queueAddressChangedMails(tx, deps, { change: id, userId: before.id, told });
}

/** Its link is worth nothing then. Nothing happens if there is none. */
export async function withdrawAddress(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  which: WhichAddress,
): Promise<void> {
  await deletePendingChanges(db, actor.userId, which);
}

/** The person says that emails to the main address arrive. */
export async function keepEmail({ db }: Pick<Deps, 'db'>, actor: Actor): Promise<void> {
  await setEmailWorks(db, actor.userId);
}

/**
 * Confirms a new address by its link, once. An invited person with that address becomes part of the
 * account; so does an account that nobody has confirmed and that has sealed nothing.
 * @throws INVALID_ADDRESS_LINK; EMAIL_TAKEN, and then the link can be tried again
 */
export async function confirmAddress(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'mailQueued' | 'filesReleased'>,
  token: string,
): Promise<{ which: WhichAddress; email: string }> {
  const confirmed = await takenIfNotUnique(() =>
    deps.db.transaction(async (tx) => {
      const { user, change } = await useLink(tx, deps, { token, does: 'confirm' });
      const { which, newAddress: email } = change;
      if (change.confirmedAt || !email) throw new AppError('INVALID_ADDRESS_LINK');
      await deleteLinksOf(tx, change.id);
      if (which === 'main') await makeWay(tx, deps, { email, userId: user.id });
      await applyChange(tx, deps, user, change);
      // Last: whoever left the address meanwhile has reserved it in the same moment.
      const now = deps.clock.now();
      if (await isReserved(tx, email, { now, exceptOf: user.id })) throw emailTaken();
      return { which, email };
    }),
  );
  deps.mailQueued();
  deps.filesReleased();
  return confirmed;
}

/** @throws EMAIL_TAKEN */
async function makeWay(
  tx: Queryable,
  { config }: Pick<Deps, 'config'>,
  { email, userId }: { email: string; userId: string },
): Promise<void> {
  const which = { isVerified: config.emailVerification };
  const holder = await findHolder(tx, email, which);
  if (!holder || holder.id === userId) return;
  await lockAgainstCapsules(tx, holder.id);
  // Again: they may have confirmed the address before they were locked.
  const locked = await findHolder(tx, email, which);
  if (locked?.isInTheWay) throw emailTaken();
  if (locked) await absorb(tx, { from: locked.id, to: userId, email });
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
  const link = { tokenHash: hashToken(token), does: 'undo' as const, now: clock.now() };
  if (!(await findAddressLink(deps.db, link))) throw new AppError('INVALID_ADDRESS_LINK');
  const passwordHash = await deps.passwords.hash(deps.ids.token());
  const { userId, wasConfirmed } = await takenIfNotUnique(() =>
    deps.db.transaction(async (tx) => {
      const { user, change } = await useLink(tx, deps, { token, does: 'undo' });
      const { confirmedAt, previousMain, previousSecond } = change;
      if (!confirmedAt) {
        await deleteChange(tx, change.id);
        return { userId: user.id, wasConfirmed: false };
      }
      const now = clock.now();
      await undoSince(tx, { userId: user.id, confirmedAt }, now);
      const live = await findLiveChanges(tx, user.id, now);
      const undone = live.filter(({ undoneAt }) => undoneAt?.getTime() === now.getTime());
      for (const { id } of undone) await deleteLinksOf(tx, id);
      await deletePendingChanges(tx, user.id, null);
      await setAddresses(tx, user.id, { email: previousMain, secondEmail: previousSecond });
      await updateUser(tx, user.id, { passwordHash });
      await deletePendingPassword(tx, user.id);
      await deps.sessions.endAll(user.id, tx);
      const requestedBy = nameless(`undo ${change.id}`);
      await queuePasswordResetMail(tx, deps, { email: previousMain, requestedBy });
      const told = new Set(undone.flatMap(({ newAddress }) => newAddress ?? []));
      for (const address of addressesOf(user)) told.add(address);
      if (previousSecond) told.add(previousSecond);
      told.delete(previousMain);
      await queueChangeUndoneMails(tx, deps, { userId: user.id, told: [...told] });
      return { userId: user.id, wasConfirmed: true };
    }),
  );
  // Again, for a sign-in between the first end and the commit.
  if (wasConfirmed) await deps.sessions.endAll(userId);
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
  { token, does }: { token: string; does: 'confirm' | 'undo' },
) {
  const which = { tokenHash: hashToken(token), does, now: clock.now() };
  const found = await findAddressLink(tx, which);
  const user = found && (await lockUser(tx, found.userId));
  // Again: another link of this person may have been used meanwhile.
  const link = user && (await findAddressLink(tx, which));
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
