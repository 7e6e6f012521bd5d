import { type CurrentUser, updateProfile, updateProfilePhoto } from '../../shared/api/user.ts';
import { call } from '../http/call.ts';
import { writeProfile } from '../local/figures.ts';
import { userChanged } from './auth.ts';

/** Saves name and bio. @throws {CallError} with `errors` by field */
export async function saveProfile(
  user: CurrentUser,
  change: Pick<CurrentUser, 'name' | 'bio'>,
): Promise<void> {
  await keep(await call(updateProfile, { body: { ...user, ...change } }));
}

/** Replaces the avatar. @throws {CallError} */
export async function saveAvatar(user: CurrentUser, image: File): Promise<void> {
  const { avatar } = await call(updateProfilePhoto, { files: [image] });
  await keep({ ...user, avatar });
}

async function keep(user: CurrentUser): Promise<void> {
  userChanged(user);
  // The server has it; a device without room for it asks there the next time.
  await writeProfile({ owner: user.id, user, fetchedAt: Date.now() }).catch(() => undefined);
}
