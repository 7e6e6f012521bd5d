import type { ResponseOf } from '../../../shared/api/endpoint.ts';
import type { Assertion } from '../../../shared/api/own-password.ts';
import type { passkeyOptions as optionsEndpoint } from '../../../shared/api/passkeys.ts';
import { browserOf, newChallenge } from '../../auth/passkey-challenge.ts';
import { requestOptions } from '../../auth/passkey-options.ts';
import { invalidPasskey, verifyAssertion } from '../../auth/passkeys.ts';
import type { ActorInSession } from '../../auth/sessions.ts';
import { findUserById } from '../../db/accounts/users.ts';
import { findPasskeys, notePasskeyUse } from '../../db/doors/passkeys.ts';
import type { Deps } from '../../deps.ts';
import { checkMaySignIn, type SignedIn, startSession } from '../accounts/start-session.ts';

/** Somebody who is signed in, or a visitor by their secret cookie. */
export type Asker = ActorInSession | { visitor: string };

/** What a browser needs to ask for a passkey: any one to sign in, or one of the signed-in person's. */
export async function passkeyOptions(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids'>,
  asker: Asker,
): Promise<ResponseOf<typeof optionsEndpoint>> {
  const challenge = await newChallenge(deps, { purpose: 'use', browser: browserOf(asker) });
  const allowed = 'userId' in asker ? await findPasskeys(deps.db, asker.userId) : [];
  return requestOptions(deps, { challenge, allowed });
}

/**
 * Starts a session for whom a passkey belongs to.
 * @throws INVALID_PASSKEY; ACCOUNT_SUSPENDED, EMAIL_NOT_VERIFIED, only after the right passkey
 */
export async function signInByPasskey(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'log' | 'sessions'>,
  asker: Asker,
  { assertion, device }: { assertion: Assertion; device: string },
): Promise<SignedIn> {
  const { userId, use } = await verifyAssertion(deps, browserOf(asker), assertion);
  const user = await findUserById(deps.db, userId);
  if (!user) throw invalidPasskey();
  checkMaySignIn(deps, user);
  const facts = { device, signedInBy: 'passkey' as const };
  return startSession(deps, { user, refusal: 'INVALID_PASSKEY', ...facts }, async (tx) => {
    if (!(await notePasskeyUse(tx, use))) throw invalidPasskey();
  });
}
