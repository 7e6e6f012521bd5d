import { Readable } from 'node:stream';
import type { BodyOf } from '../../../shared/api/endpoint.ts';
import type {
  CurrentUser,
  updateProfile as updateProfileEndpoint,
} from '../../../shared/api/user.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { findOwn, lockUser, updateUser } from '../../db/accounts/users.ts';
import { insertPending, releaseFiles, takePending } from '../../db/storage/pending-files.ts';
import type { Deps } from '../../deps.ts';
import { removeUnlessNamed } from '../storage/stored-files.ts';
import { reencodeAvatar } from './avatar-image.ts';
import { presentCurrentUser, presentOwn } from './people.ts';

export async function getCurrentUser({ db }: Pick<Deps, 'db'>, actor: Actor): Promise<CurrentUser> {
  const user = await findOwn(db, actor.userId);
  if (!user) throw new AppError('UNAUTHENTICATED');
  return presentOwn(user);
}

export async function updateProfile(
  deps: Pick<Deps, 'db'>,
  actor: Actor,
  { name, bio }: BodyOf<typeof updateProfileEndpoint>,
): Promise<CurrentUser> {
  await updateUser(deps.db, actor.userId, { name, bio });
  return getCurrentUser(deps, actor);
}

/**
 * Makes the uploaded picture the person's avatar, and deletes the previous one. @throws what
 * `reencodeAvatar` throws; UNAUTHENTICATED if the account is gone
 */
export async function replaceAvatar(
  deps: Pick<Deps, 'db' | 'clock' | 'files' | 'filesReleased' | 'ids' | 'log'>,
  actor: Actor,
  upload: Buffer,
): Promise<CurrentUser> {
  const picture = await reencodeAvatar(upload, actor.userId);
  const avatarKey = `avatars/${deps.ids.uuid()}`;
  await insertPending(deps.db, avatarKey, deps.clock.now());
  await deps.files.write(avatarKey, Readable.from([picture]));
  try {
    return await setAvatar(deps, actor, avatarKey);
  } catch (error) {
    await removeUnlessNamed(deps, [avatarKey], error);
    throw error;
  }
}

async function setAvatar(
  deps: Pick<Deps, 'db' | 'filesReleased'>,
  actor: Actor,
  avatarKey: string,
): Promise<CurrentUser> {
  const user = await deps.db.transaction(async (tx) => {
    // The lock makes the second of two uploads see, and release, the file of the first.
    const before = await lockUser(tx, actor.userId);
    const user = await updateUser(tx, actor.userId, { avatarKey });
    if (!user) throw new AppError('UNAUTHENTICATED');
    if (!(await takePending(tx, [avatarKey]))) throw new AppError('UNAVAILABLE');
    if (before?.avatarKey) await releaseFiles(tx, [before.avatarKey]);
    return user;
  });
  deps.filesReleased();
  return presentCurrentUser(user);
}
