import type { Addresses, AddressSlot } from '../../../shared/api/addresses.ts';
import type { OwnPassword } from '../../../shared/api/own-password.ts';
import { UNDO_DAYS } from '../../../shared/limits.ts';
import { AppError, fieldError } from '../../app-error.ts';
import type { Actor, ActorInSession } from '../../auth/sessions.ts';
import { deleteWaiting } from '../../db/accounts/account-changes.ts';
import {
  type BothAddresses,
  findOwnAddresses,
  setEmailWorks,
} from '../../db/accounts/addresses.ts';
import { type Account, lockUser } from '../../db/accounts/users.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails, toEach } from '../emails/queue.ts';
import {
  applyChange,
  askToConfirm,
  findUnclaimedHolder,
  type NewChange,
} from './address-changes.ts';
import { findOthers } from './new-password.ts';
import { type CheckDeps, checkOwnPassword } from './own-password.ts';

/** @throws UNAUTHENTICATED if the account is gone */
export async function getAddresses(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
): Promise<Addresses> {
  const own = await findOwnAddresses(db, actor.userId, clock.now());
  if (!own) throw new AppError('UNAUTHENTICATED');
  const { email, emailVerifiedAt, bouncedAt, secondEmail, pending, password } = own;
  return {
    email,
    isConfirmed: emailVerifiedAt !== null,
    bouncedAt: bouncedAt?.toISOString() ?? null,
    secondEmail,
    pending: pending.map(({ slot, newAddress, createdAt, takesEffectAt }) => ({
      which: slot,
      email: newAddress ?? '',
      askedAt: createdAt.toISOString(),
      ...(takesEffectAt > createdAt && { takesEffectAt: takesEffectAt.toISOString() }),
    })),
    passwordWaitsUntil: password?.takesEffectAt.toISOString() ?? null,
  };
}

/**
 * Begins a change of an address, and ends an unconfirmed one of the same slot. If a second address
 * is another account's already, only the page behind its link says so, so that nobody else can find
 * it out.
 * @throws VALIDATION_FAILED for a wrong password, or an address that is theirs already; EMAIL_TAKEN
 * for a main address; RATE_LIMITED
 */
export async function changeAddress(
  deps: CheckDeps,
  actor: ActorInSession,
  { slot, email, password }: NewChange & { password: OwnPassword },
): Promise<void> {
  const hash = await checkOwnPassword(deps, actor, password);
  // This sends emails to strangers, so one person can do it only a few times a day. What one
  // address gets is limited when the email is sent. Limited here, a stranger could keep the owner
  // of an address from changing to it.
  await deps.limits.take('addressChange', actor.userId);
  await deps.db.transaction(async (tx) => {
    // Another password may have taken effect since this one was checked.
    const user = await lockUser(tx, actor.userId, hash);
    if (!user) throw new AppError('UNAUTHENTICATED');
    // On a site where nobody has to confirm an address, people can still confirm their main one.
    const confirms = slot === 'main' && email === user.email && !user.emailVerifiedAt;
    if (!confirms) checkIsNew(user, { slot, email });
    if (email) {
      if (slot === 'main') await findUnclaimedHolder(tx, deps, { slot, email, userId: user.id });
      await askToConfirm(tx, deps, { user, slot, email });
    } else if (user.secondEmail) {
      const [id, now] = [deps.ids.uuid(), deps.clock.now()];
      const removal = { id, slot, newAddress: null, createdAt: now, confirmedAt: now };
      await applyChange(tx, deps, user, removal);
    } else {
      await deleteWaiting(tx, user.id, [slot]);
    }
  });
  deps.mailQueued();
}

function checkIsNew(own: BothAddresses, { slot, email }: NewChange): void {
  const refuse = (message: string) => {
    throw fieldError('email', message);
  };
  if (email === own.email) {
    if (slot === 'main') refuse('This is your main address already.');
    refuse('This is your main address. Please choose another one as the second.');
  }
  if (slot === 'second' && email !== null && email === own.secondEmail) {
    refuse('This is your second address already.');
  }
}

/**
 * Withdraws a change that has not taken effect, and with it its link. Does nothing if there is none.
 */
export async function withdrawAddress(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  slot: AddressSlot,
): Promise<void> {
  await deleteWaiting(db, actor.userId, [slot]);
}

/** Clears the note of a bounce, because the person says that emails to the main address arrive. */
export async function keepEmail({ db }: Pick<Deps, 'db'>, actor: Actor): Promise<void> {
  await setEmailWorks(db, actor.userId);
}

/**
 * Begins a change of the main address for somebody who can read none of theirs, as an operator. All
 * addresses that have a say are told, and can stop it for a week. Then it takes effect, if the new
 * address was confirmed. @returns when it does
 * @throws VALIDATION_FAILED; EMAIL_TAKEN, also for an address that was invited, or that an
 * unconfirmed account has: only somebody who is signed in can take those over
 */
export async function announceChange(
  tx: Queryable,
  deps: Pick<Deps, 'clock' | 'ids'>,
  user: Account,
  email: string,
): Promise<Date> {
  checkIsNew(user, { slot: 'main', email });
  if (await findUnclaimedHolder(tx, deps, { slot: 'main', email, userId: user.id })) {
    const message =
      "That address was invited, or somebody registered with it and never confirmed it. Please use another one first. Once the account's owner is signed in, they can change to this one themselves and get what waits for it.";
    throw new AppError('EMAIL_TAKEN', { message });
  }
  const asked = { user, slot: 'main' as const, email, waitsDays: UNDO_DAYS };
  const { id, takesEffectAt } = await askToConfirm(tx, deps, asked);
  const told = await findOthers(tx, user, email, deps.clock.now());
  await queueEmails(tx, deps, 'address-changed', toEach(user.id, told, id));
  return takesEffectAt;
}
