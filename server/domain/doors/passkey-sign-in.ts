import type { ResponseOf } from '../../../shared/api/endpoint.ts';
import type { Assertion } from '../../../shared/api/own-password.ts';
import type { passkeyOptions as optionsEndpoint } from '../../../shared/api/passkeys.ts';
import type { CurrentUser } from '../../../shared/api/user.ts';
import { AppError } from '../../app-error.ts';
import { browserOf, newChallenge } from '../../auth/passkey-challenge.ts';
import { requestOptions } from '../../auth/passkey-options.ts';
import { invalidPasskey, verifyAssertion } from '../../auth/passkeys.ts';
import type { ActorInSession } from '../../auth/sessions.ts';
import { deleteWaiting } from '../../db/accounts/account-changes.ts';
import { findUserById } from '../../db/accounts/users.ts';
import { findPasskeys, notePasskeyUse } from '../../db/doors/passkeys.ts';
import type { Deps } from '../../deps.ts';
import { presentSignedIn } from '../accounts/people.ts';
import { checkNotSuspended } from '../accounts/suspension.ts';

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
 * Starts a session for whom a passkey belongs to. As any sign-in does, it deletes a pending password.
 * @throws INVALID_PASSKEY; ACCOUNT_SUSPENDED, EMAIL_NOT_VERIFIED, only after the right passkey
 */
export async function signInByPasskey(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'log' | 'sessions'>,
  asker: Asker,
  { assertion, device }: { assertion: Assertion; device: string },
): Promise<{ user: CurrentUser; token: string; deviceRound: number }> {
  const { userId, use } = await verifyAssertion(deps, browserOf(asker), assertion);
  const user = await findUserById(deps.db, userId);
  if (!user?.passwordHash) throw invalidPasskey();
  checkNotSuspended(deps, user);
  if (deps.config.emailVerification && !user.emailVerifiedAt) {
    throw new AppError('EMAIL_NOT_VERIFIED', { email: user.email });
  }
  const { passwordHash } = user;
  const token = await deps.db.transaction(async (tx) => {
    // The session first: it locks the person, whom everything else locks before their passkeys.
    const signedIn = { userId, passwordHash, device, signedInBy: 'passkey' as const };
    const token = await deps.sessions.create(signedIn, tx);
    if (!token || !(await notePasskeyUse(tx, use))) throw invalidPasskey();
    await deleteWaiting(tx, userId, ['password']);
    return token;
  });
  return { user: presentSignedIn(user), token, deviceRound: user.deviceRound };
}
