import type { BodyOf } from '../../shared/api/endpoint.ts';
import type { deleteAccount as deleteAccountEndpoint } from '../../shared/api/user.ts';
import { AppError } from '../app-error.ts';
import { findUploadKeys, leaveCapsules, removeCapsulesOf, removeUser } from '../db/departures.ts';
import { findPasswordHash, findUser, lockUser } from '../db/users.ts';
import type { Actor, Deps } from '../deps.ts';
import { releaseFiles } from './stored-files.ts';

/**
 * Ends an account for good. What the person sealed for others is left to them or destroyed,
 * as the person says; everything else goes.
 * @throws VALIDATION_FAILED when the password is wrong: a borrowed device must not end an account.
 */
export async function deleteAccount(
  deps: Pick<Deps, 'db' | 'files' | 'log' | 'passwords'>,
  actor: Actor,
  { password, capsules }: BodyOf<typeof deleteAccountEndpoint>,
): Promise<void> {
  const hash = await findPasswordHash(deps.db, actor.userId);
  if (!(await deps.passwords.verify(hash ?? null, password))) {
    const message = 'This is not your password';
    throw new AppError('VALIDATION_FAILED', { message, errors: { password: message } });
  }
  const keys = await deps.db.transaction(async (tx) => {
    // A capsule that is being sealed at this moment comes wholly before or not at all.
    await lockUser(tx, actor.userId);
    const user = await findUser(tx, actor.userId);
    if (!user) return [];
    if (capsules === 'deliver') await leaveCapsules(tx, user);
    const removed = await removeCapsulesOf(tx, user.id);
    const underWay = await findUploadKeys(tx, user.id);
    await removeUser(tx, user);
    return [...removed, ...underWay, ...(user.avatarKey ? [user.avatarKey] : [])];
  });
  await releaseFiles(deps, keys);
}
