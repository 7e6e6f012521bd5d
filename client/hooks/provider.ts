import {
  askProvider,
  getIdentity,
  linkIdentity,
  unlinkIdentity,
} from '../../shared/api/identities.ts';
import type { OwnPassword } from '../../shared/api/own-password.ts';
import { getMe } from '../../shared/api/user.ts';
import { call } from '../api/client.ts';
import { orGone } from '../api/errors.ts';
import { useQuery } from './use-query.ts';
import { signedIn } from './use-session.ts';

/** Leaves for the identity provider to accept an invitation. @throws {CallError} */
export async function acceptAtProvider(invitation: string): Promise<void> {
  await leaveFor(await call(askProvider, { body: { invitation } }));
}

/** Leaves for the provider to confirm who is signed in, and comes back to this page. @throws {CallError} */
export async function confirmAtProvider(): Promise<void> {
  await leaveFor(await call(askProvider, { body: { page: location.pathname } }));
}

/** Never resolves: the page goes. */
async function leaveFor({ url }: { url: string }): Promise<void> {
  location.assign(url);
  await new Promise(() => undefined);
}

/** After the provider has led back: the server knows who it is. @throws {CallError} */
export async function arriveFromProvider(): Promise<void> {
  await signedIn(await call(getMe));
}

/** The person's account at the identity provider. */
export function useIdentity() {
  const identity = useQuery('identity', (signal) => call(getIdentity, { signal }));
  return {
    ...identity,
    /** Leaves for the provider. @throws {CallError} with `errors` by field */
    async link(password: OwnPassword) {
      await leaveFor(await call(linkIdentity, { body: { password } }));
    },
    /** @throws {CallError} with `errors` by field */
    unlink: (password: OwnPassword) =>
      identity.after(orGone(call(unlinkIdentity, { body: { password } }))),
  };
}
