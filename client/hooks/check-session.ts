import { getMe } from '../../shared/api/user.ts';
import { call } from '../api/client.ts';
import { authState } from './use-session.ts';

/** After all sessions of an account have ended: if this device has one of them, a 401 says so to the page. */
export async function checkSession(): Promise<void> {
  if (authState().isLoggedIn) await call(getMe).catch(() => undefined);
}
