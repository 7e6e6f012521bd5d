import { AppError } from '../../app-error.ts';
import type { ActorInSession } from '../../auth/sessions.ts';
import { addressesOf } from '../../db/accounts/addresses.ts';
import { deletePendingPassword } from '../../db/accounts/pending-passwords.ts';
import { findPasswordHash, lockUser } from '../../db/accounts/users.ts';
import type { Deps } from '../../deps.ts';
import { queuePasswordGuessedMails } from '../emails/notices.ts';

type CheckDeps = Pick<
  Deps,
  'db' | 'clock' | 'ids' | 'limits' | 'log' | 'passwords' | 'sessions' | 'mailQueued'
>;

/** Wrong passwords in an hour that end a session. */
const GUESSES_MAX = 10;

/**
 * Asks for the password where a session alone, on a borrowed device, must not be enough. The right
 * one also ends the wait of a new password. Ten wrong ones end the session, and the owner is told.
 * @returns its hash @throws VALIDATION_FAILED for a wrong password; RATE_LIMITED; UNAUTHENTICATED
 */
export async function checkOwnPassword(
  deps: CheckDeps,
  actor: ActorInSession,
  password: string,
): Promise<string | null> {
  // As costly to guess at as signing in.
  await deps.limits.count('signIn', actor.userId);
  // Counted before it is checked, so that guesses sent at once are no more than others.
  const before = await deps.limits.countBefore('ownPassword', actor.sessionId);
  if (before >= GUESSES_MAX) {
    // Sent at once with the tenth guess, or the server stopped before that one could end the session.
    await deps.sessions.endById(actor.sessionId);
    throw new AppError('UNAUTHENTICATED');
  }
  const hash = (await findPasswordHash(deps.db, actor.userId)) ?? null;
  if (!(await deps.passwords.verify(hash, password))) {
    if (before + 1 === GUESSES_MAX) {
      await endGuessing(deps, actor);
      const message = "That's ten wrong passwords, so you've been signed out.";
      throw new AppError('UNAUTHENTICATED', { message });
    }
    const message = "That isn't your password";
    throw new AppError('VALIDATION_FAILED', { message, errors: { password: message } });
  }
  await deps.limits.forget('ownPassword', actor.sessionId);
  // As by signing in: its owner has not forgotten it.
  await deletePendingPassword(deps.db, actor.userId);
  return hash;
}

async function endGuessing(deps: CheckDeps, { userId, sessionId }: ActorInSession): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    await deps.sessions.endById(sessionId, tx);
    if (user) await queuePasswordGuessedMails(tx, deps, { userId, told: addressesOf(user) });
  });
  deps.mailQueued();
  deps.log.info({ userId }, 'a session was ended after ten wrong passwords');
}
