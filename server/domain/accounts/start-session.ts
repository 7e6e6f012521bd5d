import type { CurrentUser } from '../../../shared/api/user.ts';
import type { ErrorCode } from '../../../shared/error-body.ts';
import { ERRORS } from '../../../shared/errors.ts';
import { AppError } from '../../app-error.ts';
import type { SignInFacts } from '../../auth/sessions.ts';
import { deleteWaiting } from '../../db/accounts/account-changes.ts';
import type { UserRow } from '../../db/accounts/users.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { contactOf } from './contact.ts';
import { presentSignedIn } from './people.ts';

/**
 * Called once somebody has shown that the account is theirs: nobody else learns that it is suspended.
 * @throws ACCOUNT_SUSPENDED
 */
export function checkNotSuspended(
  deps: Pick<Deps, 'config'>,
  { suspendedAt }: { suspendedAt: Date | null },
): void {
  if (!suspendedAt) return;
  const contact = contactOf(deps);
  const says = ERRORS.ACCOUNT_SUSPENDED[1];
  const message = contact ? `${says} Write to ${contact} if you have questions.` : says;
  throw new AppError('ACCOUNT_SUSPENDED', { message });
}

export function mustConfirm({ config }: Pick<Deps, 'config'>, user: UserRow): boolean {
  return config.emailVerification && !user.emailVerifiedAt;
}

/** Called as `checkNotSuspended`, by ways to sign in. @throws ACCOUNT_SUSPENDED, EMAIL_NOT_VERIFIED */
export function checkMaySignIn(deps: Pick<Deps, 'config'>, user: UserRow): void {
  checkNotSuspended(deps, user);
  if (mustConfirm(deps, user)) throw new AppError('EMAIL_NOT_VERIFIED', { email: user.email });
}

/** Somebody who has signed in, with the round of known devices as it was before. */
export interface SignedIn {
  user: CurrentUser;
  token: string;
  deviceRound: number;
}

/**
 * Ends every way to sign in. Deletes a pending password: whoever gets in does not need it.
 * @param refusal where the account has another password by now, or is gone
 * @param use uses up, in the same transaction, what somebody signs in with
 */
export async function startSession(
  deps: Pick<Deps, 'db' | 'sessions'>,
  { user, refusal, ...facts }: SignInFacts & { user: UserRow; refusal: ErrorCode },
  use: (tx: Queryable) => Promise<void>,
): Promise<SignedIn> {
  const { id: userId, passwordHash } = user;
  const token = await deps.db.transaction(async (tx) => {
    const person = passwordHash && { userId, passwordHash, ...facts };
    // The session first: it locks the person, whom everything else locks before what is used up.
    const token = person && (await deps.sessions.create(person, tx));
    if (!token) throw new AppError(refusal);
    await use(tx);
    await deleteWaiting(tx, userId, ['password']);
    return token;
  });
  return { user: presentSignedIn(user), token, deviceRound: user.deviceRound };
}
