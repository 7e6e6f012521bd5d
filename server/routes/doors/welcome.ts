import type { CurrentUser } from '../../../shared/api/user.ts';
import type { Deps } from '../../deps.ts';
import type { SignedIn } from '../../domain/accounts/start-session.ts';
import { tellOfNewDevice } from '../../domain/doors/known-devices.ts';
import type { AppContext } from '../../http/context.ts';
import { rememberDevice } from '../../http/device-cookie.ts';
import { signIn } from '../../http/session.ts';

/**
 * Ends every sign-in: the owner is told of a device that is new, it is known from now on, and its
 * session begins. The first sign-in of an account is no news. @param known of `knownDevice`
 */
export async function welcome(
  c: AppContext,
  deps: Deps,
  { user, token, deviceRound, known }: SignedIn & { known: string | null },
): Promise<{ message: string; user: CurrentUser }> {
  if (!known && deviceRound > 0) await tellOfNewDevice(deps, { userId: user.id, token });
  await rememberDevice(c, deps, { id: user.id, deviceRound });
  await signIn(c, deps, token);
  return { message: 'Welcome back!', user };
}
