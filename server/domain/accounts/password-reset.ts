import { AppError } from '../../app-error.ts';
import { nameless } from '../../client-limits.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails } from '../emails/queue.ts';
import { consumePasswordReset, findPasswordReset } from './link-tokens.ts';
import { setNewPassword } from './new-password.ts';
import { checkPasswordPolicy } from './password-policy.ts';

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

/** Checks the token without consuming it. @throws INVALID_RESET_TOKEN */
export async function checkResetToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  token: string,
): Promise<void> {
  if (!(await findPasswordReset(deps.db, deps, token))) throw new AppError('INVALID_RESET_TOKEN');
}

/**
 * Sets a password by a reset link. Every session ends, unless the password has to wait for another
 * address.
 * @returns whose password it is, and when it takes effect if it has to wait
 * @throws INVALID_RESET_TOKEN; VALIDATION_FAILED, after which the link still works
 */
export async function resetPassword(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'passwords' | 'sessions' | 'mailQueued'>,
  { token, password }: { token: string; password: string },
): Promise<{ userId: string; takesEffectAt: Date | null }> {
  // Checked first, so that a guessed token does not cost a password hash.
  await checkResetToken(deps, token);
  const passwordHash = await deps.passwords.hash(password);
  const { user, takesEffectAt } = await deps.db.transaction(async (tx) => {
    const used = await consumePasswordReset(tx, deps, token);
    if (!used) throw new AppError('INVALID_RESET_TOKEN');
    const { user, sentTo } = used;
    await checkPasswordPolicy(deps.config, { password, email: user.email });
    return { user, takesEffectAt: await setNewPassword(tx, deps, user, { passwordHash, sentTo }) };
  });
  deps.mailQueued();
  return { userId: user.id, takesEffectAt };
}
