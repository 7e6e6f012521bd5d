import type { PasskeyChoice } from '../../../shared/api/passkey-choice.ts';
import { DAY_MS, UNDO_DAYS } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { rpId } from '../../auth/passkey-options.ts';
import { hashCode } from '../../auth/recovery-code.ts';
import type { Actor, ActorInSession } from '../../auth/sessions.ts';
import { addressesOf } from '../../db/accounts/addresses.ts';
import { type Account, findAccount, updateUser } from '../../db/accounts/users.ts';
import { findPasskeys } from '../../db/doors/passkeys.ts';
import { findCodeOwner } from '../../db/doors/recovery-codes.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails, toEach } from '../emails/queue.ts';
import { type CheckDeps, checkOwnPassword, lockActor } from './own-password.ts';

/*
 * Somebody who has passkeys can choose that the password alone signs nobody in on a new device. It
 * then takes a passkey, which signs in by itself, or the password with a recovery code.
 */

type Chooser = Pick<Account, 'id' | 'passkeyAskedSince' | 'passkeyAskedAtHost'>;

/** Whether an account asks for a passkey on new devices: as long as it has one that works here. */
export async function asksForPasskey(
  db: Queryable,
  { config }: Pick<Deps, 'config'>,
  { id, passkeyAskedAtHost }: Pick<Chooser, 'id' | 'passkeyAskedAtHost'>,
): Promise<boolean> {
  if (passkeyAskedAtHost === null || passkeyAskedAtHost !== rpId({ config })) return false;
  return (await findPasskeys(db, id)).length > 0;
}

/**
 * Whether a link for a new password still ends the choice. For some days it may have been made by
 * a thief, and all addresses have only just been told.
 */
export function isChoiceNew({ clock }: Pick<Deps, 'clock'>, { passkeyAskedSince }: Chooser) {
  const since = passkeyAskedSince?.getTime() ?? 0;
  return clock.now().getTime() < since + UNDO_DAYS * DAY_MS;
}

/**
 * Checks what a new device needs besides the password.
 * @returns the hash of a recovery code, to be used up with the sign-in; null where none is needed
 * @throws PASSKEY_REQUIRED; INVALID_RECOVERY_CODE
 */
export async function checkNewDevice(
  deps: Pick<Deps, 'config' | 'db'>,
  user: Chooser,
  { isKnown, recoveryCode }: { isKnown: boolean; recoveryCode: string | undefined },
): Promise<string | null> {
  if (isKnown || !(await asksForPasskey(deps.db, deps, user))) return null;
  if (!recoveryCode) throw new AppError('PASSKEY_REQUIRED');
  const codeHash = hashCode(recoveryCode);
  if ((await findCodeOwner(deps.db, codeHash)) !== user.id) {
    throw new AppError('INVALID_RECOVERY_CODE');
  }
  return codeHash;
}

export async function getPasskeyChoice(
  deps: Pick<Deps, 'config' | 'db'>,
  { userId }: Actor,
): Promise<PasskeyChoice> {
  const user = await findAccount(deps.db, userId);
  return { asksOnNewDevices: user !== undefined && (await asksForPasskey(deps.db, deps, user)) };
}

/**
 * Turns the choice on or off, which every address is told.
 * @throws VALIDATION_FAILED without a passkey, or where nobody has confirmed the main address: its
 * link sets a password without any wait; what a wrong password throws; RATE_LIMITED
 */
export async function choosePasskey(
  deps: CheckDeps,
  actor: ActorInSession,
  {
    asksOnNewDevices,
    password,
  }: PasskeyChoice & { password: Parameters<typeof checkOwnPassword>[2] },
): Promise<void> {
  await checkOwnPassword(deps, actor, password);
  await deps.limits.take('passkeyChoice', actor.userId);
  await deps.db.transaction(async (tx) => {
    const user = await lockActor(tx, actor);
    if ((await asksForPasskey(tx, deps, user)) === asksOnNewDevices) return;
    if (!asksOnNewDevices) return endPasskeyChoice(tx, deps, user);
    if ((await findPasskeys(tx, user.id)).length === 0) {
      throw new AppError('VALIDATION_FAILED', { message: 'Please add a passkey first.' });
    }
    if (!user.emailVerifiedAt) {
      const message = 'Please confirm your main address first, under “Your email addresses”.';
      throw new AppError('VALIDATION_FAILED', { message });
    }
    const chosen = { passkeyAskedSince: deps.clock.now(), passkeyAskedAtHost: rpId(deps) };
    await updateUser(tx, user.id, chosen);
    await tell(tx, deps, user);
  });
  deps.mailQueued();
}

/** Ends the choice, if there is one, and tells every address. @param user locked */
export async function endPasskeyChoice(
  tx: Queryable,
  deps: Pick<Deps, 'clock' | 'ids'>,
  user: Account,
): Promise<void> {
  if (user.passkeyAskedAtHost === null) return;
  await updateUser(tx, user.id, { passkeyAskedSince: null, passkeyAskedAtHost: null });
  await tell(tx, deps, user);
}

function tell(tx: Queryable, deps: Pick<Deps, 'clock' | 'ids'>, user: Account): Promise<void> {
  return queueEmails(tx, deps, 'passkey-choice', toEach(user.id, addressesOf(user)));
}
