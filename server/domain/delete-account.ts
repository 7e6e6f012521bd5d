import type { BodyOf } from '../../shared/api/endpoint.ts';
import type { deleteAccount as deleteAccountEndpoint } from '../../shared/api/user.ts';
import { AppError } from '../app-error.ts';
import type { Actor } from '../auth/sessions.ts';
import {
  findUploadKeys,
  leaveCapsules,
  removeCapsulesOf,
  removeUser,
} from '../db/account-deletion.ts';
import { findPasswordHash, findUser, lockUser } from '../db/users.ts';
import type { Deps } from '../deps.ts';
import { releaseFiles } from './stored-files.ts';

/**
 * Deletes an account. Capsules for others are delivered or destroyed, as the person chose.
 * @throws VALIDATION_FAILED for a wrong password, so that a borrowed device is not enough
 */
export async function deleteAccount(
  deps: Pick<Deps, 'db' | 'files' | 'log' | 'mailer' | 'passwords'>,
  actor: Actor,
  { password, capsules }: BodyOf<typeof deleteAccountEndpoint>,
): Promise<void> {
  const hash = await findPasswordHash(deps.db, actor.userId);
  if (!(await deps.passwords.verify(hash ?? null, password))) {
    const message = "That isn't your password";
    throw new AppError('VALIDATION_FAILED', { message, errors: { password: message } });
  }
  const left = await deps.db.transaction(async (tx) => {
    // A capsule being sealed right now is committed before the deletion, or refused after it.
    await lockUser(tx, actor.userId);
    const user = await findUser(tx, actor.userId);
    if (!user) return null;
    if (capsules === 'deliver') await leaveCapsules(tx, user);
    const removed = await removeCapsulesOf(tx, user.id);
    const underWay = await findUploadKeys(tx, user.id);
    await removeUser(tx, user);
    const keys = [...removed, ...underWay, ...(user.avatarKey ? [user.avatarKey] : [])];
    return { keys, address: user.email };
  });
  if (!left) return;
  await removeMailCopies(deps, left.address);
  await releaseFiles(deps, left.keys);
}

/** The account is gone by now: a failure is logged, and the sweep removes the copies in time. */
async function removeMailCopies(
  { mailer, log }: Pick<Deps, 'mailer' | 'log'>,
  address: string,
): Promise<void> {
  try {
    await mailer.removeTo?.(address);
  } catch (error) {
    log.error({ err: error }, 'emails of a deleted account could not be removed from the outbox');
  }
}
