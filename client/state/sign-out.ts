import { forgetPerson } from './forget-person.ts';

/**
 * Ends the session on the server, then forgets the person on this device.
 * The call and its schemas are loaded only now: a visitor's pages do without them.
 * @throws {CallError} when the server could not be told; the person is then still signed in
 */
export async function signOut(): Promise<void> {
  const [{ call }, { logout }] = await Promise.all([
    import('../http/call.ts'),
    import('../../shared/api/auth.ts'),
  ]);
  await call(logout);
  await forgetPerson();
}
