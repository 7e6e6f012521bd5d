import { useEffect } from 'react';
import { type CurrentUser, getMe } from '../../shared/api/user.ts';
import { call } from '../api/client.ts';
import { PROFILE_KEY } from '../db/cache.ts';
import { authState, userChanged } from './auth.ts';
import { type Resource, useResource } from './use-resource.ts';
import { useIsUnknown, useUserId } from './use-user-id.ts';

export { useUserId } from './use-user-id.ts';

/** The signed-in person, as the device knows them and as the server then says. */
export function useMe(): Resource<CurrentUser> {
  const userId = useUserId();
  const isUnknown = useIsUnknown();
  // A device that does not know who is signed in learns it from this answer.
  const key = userId !== null || isUnknown ? `${PROFILE_KEY}${isUnknown ? '?' : ''}` : null;
  const me = useResource<CurrentUser>(key, async (signal) => {
    const user = await call(getMe, { signal });
    userChanged(user);
    return user;
  });
  const { data } = me;
  // Offline too, the rest of the app should know who this is.
  useEffect(() => {
    if (data && !authState().user) userChanged(data);
  }, [data]);
  return me;
}
