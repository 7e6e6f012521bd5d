import { AppError } from '../app-error.ts';
import type { Actor } from '../auth/sessions.ts';
import { deletePendingPassword } from '../db/pending-passwords.ts';
import { findPasswordHash } from '../db/users.ts';
import type { Deps } from '../deps.ts';
import { letDuePasswordCount } from './new-password.ts';

/**
 * For what a borrowed device must not be enough for. A new password that waits ends with it.
 * @returns its hash @throws VALIDATION_FAILED for a wrong password
 */
export async function checkOwnPassword(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'passwords' | 'sessions' | 'mailQueued'>,
  actor: Actor,
  password: string,
): Promise<string | null> {
  await letDuePasswordCount(deps, actor.userId);
  const hash = (await findPasswordHash(deps.db, actor.userId)) ?? null;
  if (!(await deps.passwords.verify(hash, password))) {
    const message = "That isn't your password";
    throw new AppError('VALIDATION_FAILED', { message, errors: { password: message } });
  }
  // As by signing in: its owner has not forgotten it.
  await deletePendingPassword(deps.db, actor.userId);
  return hash;
}
