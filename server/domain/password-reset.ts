import { AppError } from '../app-error.ts';
import { findUser, updateUser } from '../db/users.ts';
import type { Deps } from '../deps.ts';
import { consumePasswordReset, findPasswordReset } from './link-tokens.ts';
import { queuePasswordChangedMail, queuePasswordResetMail } from './notices.ts';
import { checkPasswordPolicy } from './password-policy.ts';

/** Does the same work for every address: who it belongs to is found out when the mail is sent. */
export async function requestPasswordReset(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'mailQueued'>,
  email: string,
): Promise<void> {
  await deps.db.transaction((tx) => queuePasswordResetMail(tx, deps, email));
  deps.mailQueued();
}

/** Leaves the token as it is. @throws INVALID_RESET_TOKEN */
export async function checkResetToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  token: string,
): Promise<void> {
  if (!(await findPasswordReset(deps.db, deps, token))) throw new AppError('INVALID_RESET_TOKEN');
}

/**
 * Uses the token up, sets the password and ends every session.
 * @throws INVALID_RESET_TOKEN, VALIDATION_FAILED (the token then stays good)
 */
export async function resetPassword(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'passwords' | 'sessions' | 'mailQueued'>,
  { token, password }: { token: string; password: string },
): Promise<void> {
  // Asked first, so that a guessed token costs no hash.
  await checkResetToken(deps, token);
  const passwordHash = await deps.passwords.hash(password);
  const userId = await deps.db.transaction(async (tx) => {
    const userId = await consumePasswordReset(tx, deps, token);
    const user = userId ? await findUser(tx, userId) : undefined;
    if (!user) throw new AppError('INVALID_RESET_TOKEN');
    checkPasswordPolicy(deps.config, { password, email: user.email });
    // Who can read the mailbox has also shown that the address is theirs.
    await updateUser(tx, user.id, { passwordHash, emailVerifiedAt: deps.clock.now() });
    await deps.sessions.endAll(user.id, tx);
    await queuePasswordChangedMail(tx, deps, user);
    return user.id;
  });
  // Once more for a sign-in that slipped in before the commit; a later one sees the new
  // password and gives up by itself.
  await deps.sessions.endAll(userId);
  deps.mailQueued();
}
