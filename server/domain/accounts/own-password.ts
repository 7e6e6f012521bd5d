import type { Assertion, OwnPassword } from '../../../shared/api/own-password.ts';
import { AppError, fieldError } from '../../app-error.ts';
import { browserOf } from '../../auth/passkey-challenge.ts';
import { invalidPasskey, verifyAssertion } from '../../auth/passkeys.ts';
import { type ActorInSession, isGoingOn } from '../../auth/sessions.ts';
import { deleteWaiting } from '../../db/accounts/account-changes.ts';
import { addressesOf } from '../../db/accounts/addresses.ts';
import { type FoundAccount, findPasswordHash, lockUser } from '../../db/accounts/users.ts';
import { takeConfirmation } from '../../db/doors/identities.ts';
import { notePasskeyUse } from '../../db/doors/passkeys.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails, toEach } from '../emails/queue.ts';

export type CheckDeps = Pick<
  Deps,
  'config' | 'db' | 'clock' | 'ids' | 'limits' | 'log' | 'passwords' | 'sessions' | 'mailQueued'
>;

/** Wrong answers in an hour that end a session. */
const GUESSES_MAX = 10;

/**
 * Asks for the password again before sensitive changes, so that an unlocked device is not enough.
 * A passkey may answer in its place, or the identity provider. The right one deletes a pending
 * password. Ten wrong answers in an hour, whichever they are, end the session, and the owner is told.
 * @returns the hash of the password @throws VALIDATION_FAILED for a wrong one; RATE_LIMITED;
 * UNAUTHENTICATED
 */
export async function checkOwnPassword(
  deps: CheckDeps,
  actor: ActorInSession,
  password: OwnPassword,
): Promise<string> {
  // By session first: whoever has one leaves the owner enough tries to end it.
  await deps.limits.take('ownPasswordAsked', actor.sessionId);
  await deps.limits.take('ownPasswordAskedInAll', actor.userId);
  // Counted before it is checked, so that guesses that are sent at the same time count as well.
  const { before } = await deps.limits.tryTake('ownPassword', actor.sessionId);
  if (before >= GUESSES_MAX) {
    // This guess was sent at the same time as the tenth, or the server stopped before the tenth
    // could end the session.
    await deps.sessions.endById(actor.sessionId);
    throw new AppError('UNAUTHENTICATED');
  }
  const hash = await checkAnswer(deps, actor, password).catch(async (error) => {
    if (!isWrong(error) || before + 1 < GUESSES_MAX) throw error;
    await endGuessing(deps, actor);
    const message = "That was wrong ten times, so you've been signed out.";
    throw new AppError('UNAUTHENTICATED', { message });
  });
  await deps.limits.giveBack('ownPassword', actor.sessionId, 'all');
  // As at sign-in: whoever knows the old password does not need another one.
  await deleteWaiting(deps.db, actor.userId, ['password']);
  return hash;
}

/**
 * Locks who is signed in, if they still are: since the call began, a new password may have ended their
 * session, and what they add now would outlive it. @throws UNAUTHENTICATED
 */
export async function lockActor(
  tx: Queryable,
  { userId, sessionId }: ActorInSession,
): Promise<FoundAccount> {
  const user = await lockUser(tx, userId);
  if (!user || !(await isGoingOn(tx, sessionId))) throw new AppError('UNAUTHENTICATED');
  return user;
}

/** @returns the hash of the password, the one with which it was compared @throws what `wrong` makes */
async function checkAnswer(
  deps: CheckDeps,
  actor: ActorInSession,
  password: OwnPassword,
): Promise<string> {
  if (typeof password !== 'string') {
    if ('id' in password) await checkOwnPasskey(deps, actor, password);
    else await checkConfirmed(deps, actor);
  }
  const hash = (await findPasswordHash(deps.db, actor.userId)) ?? null;
  if (typeof password === 'string' && !(await deps.passwords.verify(hash, password))) {
    throw wrong("That isn't your password");
  }
  if (hash === null) throw new AppError('UNAUTHENTICATED');
  return hash;
}

const isWrong = (error: unknown) => error instanceof AppError && error.code === 'VALIDATION_FAILED';

/** At the field of the password. */
const wrong = (message: string) => fieldError('password', message);

async function checkOwnPasskey(
  deps: CheckDeps,
  actor: ActorInSession,
  assertion: Assertion,
): Promise<void> {
  try {
    const { userId, use } = await verifyAssertion(deps, browserOf(actor), assertion);
    if (userId !== actor.userId) throw invalidPasskey();
    if (!(await notePasskeyUse(deps.db, use))) throw invalidPasskey();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_PASSKEY') throw error;
    throw wrong(error.message);
  }
}

/** @throws VALIDATION_FAILED, unless the identity provider has just said who it is */
async function checkConfirmed(deps: CheckDeps, { sessionId }: ActorInSession): Promise<void> {
  if (await takeConfirmation(deps.db, sessionId, deps.clock.now())) return;
  throw wrong('Please confirm once more that it is you: that counts once, for five minutes.');
}

async function endGuessing(deps: CheckDeps, { userId, sessionId }: ActorInSession): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    await deps.sessions.endById(sessionId, tx);
    if (user) await queueEmails(tx, deps, 'password-guessed', toEach(userId, addressesOf(user)));
  });
  deps.mailQueued();
  deps.log.info({ userId }, 'Ended a session after ten wrong answers.');
}
