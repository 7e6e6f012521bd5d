import type { BodyOf } from '../../shared/api/endpoint.ts';
import type { deleteAccount as deleteAccountEndpoint } from '../../shared/api/user.ts';
import { AppError } from '../app-error.ts';
import type { Actor } from '../auth/sessions.ts';
import { leaveCapsules, removeCapsulesOf, removeUser } from '../db/account-deletion.ts';
import { findPasswordHash, findUser, lockUser } from '../db/users.ts';
import type { Deps } from '../deps.ts';

/**
 * Deletes an account. Capsules for others are delivered or destroyed, as the person chose. A job
 * removes the files after the commit, because there may be thousands.
 * @throws VALIDATION_FAILED for a wrong password, so that a borrowed device is not enough
 */
export async function deleteAccount(
  deps: Pick<Deps, 'db' | 'filesReleased' | 'log' | 'mailer' | 'passwords'>,
  actor: Actor,
  { password, capsules }: BodyOf<typeof deleteAccountEndpoint>,
): Promise<void> {
  const hash = await findPasswordHash(deps.db, actor.userId);
  if (!(await deps.passwords.verify(hash ?? null, password))) {
    const message = "That isn't your password";
    throw new AppError('VALIDATION_FAILED', { message, errors: { password: message } });
  }
  const address = await deps.db.transaction(async (tx) => {
    // A capsule being sealed right now is committed before the deletion, or refused after it.
    await lockUser(tx, actor.userId);
    const user = await findUser(tx, actor.userId);
    if (!user) return null;
    if (capsules === 'deliver') await leaveCapsules(tx, user);
    await removeCapsulesOf(tx, user.id);
    await removeUser(tx, user);
    return user.email;
  });
  if (address === null) return;
  deps.filesReleased();
  await removeMailCopies(deps, address);
}

/** Removes stored emails to an address that is gone by now: a failure is logged, and the sweep removes the copies in time. */
export async function removeMailCopies(
  { mailer, log }: Pick<Deps, 'mailer' | 'log'>,
  address: string,
): Promise<void> {
  try {
    await mailer.removeTo?.(address);
  } catch (error) {
    log.error({ err: error }, 'emails of a deleted account could not be removed from the outbox');
  }
}
