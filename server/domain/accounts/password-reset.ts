import { AppError } from '../../app-error.ts';
import { nameless } from '../../client-limits.ts';
import { findAccount, findDeviceRound } from '../../db/accounts/users.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails } from '../emails/queue.ts';
import { consumePasswordReset, findPasswordReset } from './link-tokens.ts';
import { setNewPassword } from './new-password.ts';
import { asksForPasskey, endPasskeyChoice, isChoiceNew } from './passkey-choice.ts';
import { checkPasswordPolicy, checkPasswordsOn } from './password-policy.ts';

/**
 * Queues an email with a link for a new password. The work is the same for every address, so that
 * it doesn't show which ones have an account: the person is looked up when the email is sent.
 * @param client who asks, as limits count them
 */
export async function requestPasswordReset(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'mailQueued'>,
  { email, client }: { email: string; client: string },
): Promise<void> {
  const requestedBy = nameless(`${client} ${email}`);
  await deps.db.transaction((tx) =>
    queueEmails(tx, deps, 'password-reset', [{ id: null, email, requestedBy }]),
  );
  deps.mailQueued();
}

/** Checks the token without consuming it. @throws PASSWORDS_OFF, INVALID_RESET_TOKEN */
export async function checkResetToken(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  token: string,
): Promise<void> {
  checkPasswordsOn(deps);
  if (!(await findPasswordReset(deps.db, deps, token))) throw new AppError('INVALID_RESET_TOKEN');
}

/**
 * Sets a password by a reset link. Every session ends, unless the password has to wait for another
 * address, or because it was set on a new device of somebody who wants a passkey there.
 * @param isKnown whether the owner of this main address has signed in on this device before
 * @returns whose password it is, when it takes effect if it has to wait, whether a passkey is what was
 * missing, and the round of known devices that has begun with it
 * @throws PASSWORDS_OFF, INVALID_RESET_TOKEN; VALIDATION_FAILED, after which the link still works
 */
export async function resetPassword(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'passwords' | 'sessions' | 'mailQueued'>,
  {
    token,
    password,
    isKnown,
  }: { token: string; password: string; isKnown: (email: string) => Promise<boolean> },
): Promise<{
  userId: string;
  takesEffectAt: Date | null;
  lacksPasskey: boolean;
  deviceRound: number;
}> {
  checkPasswordsOn(deps);
  // Checked first, so that a guessed token does not cost a password hash.
  const userId = await findPasswordReset(deps.db, deps, token);
  if (!userId) throw new AppError('INVALID_RESET_TOKEN');
  const owner = await findAccount(deps.db, userId);
  const isNewDevice = owner !== undefined && !(await isKnown(owner.email));
  const passwordHash = await deps.passwords.hash(password);
  const { user, ...outcome } = await deps.db.transaction(async (tx) => {
    const used = await consumePasswordReset(tx, deps, token);
    if (!used) throw new AppError('INVALID_RESET_TOKEN');
    const { user, sentTo } = used;
    await checkPasswordPolicy(deps.config, { password, email: user.email });
    const asks = isNewDevice && (await asksForPasskey(tx, deps, user));
    const isOverruled = isChoiceNew(deps, user) || !user.emailVerifiedAt;
    if (asks && isOverruled) await endPasskeyChoice(tx, deps, user);
    const lacksPasskey = asks && !isOverruled;
    const set = { passwordHash, sentTo, lacksPasskey };
    const takesEffectAt = await setNewPassword(tx, deps, user, set);
    return { user, lacksPasskey, takesEffectAt, deviceRound: await findDeviceRound(tx, user.id) };
  });
  deps.mailQueued();
  return { userId: user.id, ...outcome };
}
