import type { OwnPassword } from '../../../shared/api/own-password.ts';
import type { ListedSession } from '../../../shared/api/sessions.ts';
import { AppError } from '../../app-error.ts';
import { type ActorInSession, publicIdOf } from '../../auth/sessions.ts';
import { type DeviceOwner, findDeviceRound } from '../../db/accounts/users.ts';
import type { Deps } from '../../deps.ts';
import { type CheckDeps, checkOwnPassword, lockActor } from '../accounts/own-password.ts';

/** Where a person is signed in, this session first. */
export async function listSessions(
  { sessions }: Pick<Deps, 'sessions'>,
  { userId, sessionId }: ActorInSession,
): Promise<ListedSession[]> {
  const own = publicIdOf(sessionId);
  const listed = (await sessions.list(userId)).map(({ publicId, createdAt, ...facts }) => ({
    id: publicId,
    ...facts,
    signedInAt: createdAt.toISOString(),
    isThis: publicId === own,
  }));
  return listed.toSorted((one, other) => Number(other.isThis) - Number(one.isThis));
}

/**
 * Ends one of a person's sessions. It takes the password, or else a thief on one device could sign
 * the owner out on all others. @throws NOT_FOUND; what a wrong password throws
 */
export async function endSession(
  deps: CheckDeps,
  actor: ActorInSession,
  { id, password }: { id: string; password: OwnPassword },
): Promise<void> {
  await checkOwnPassword(deps, actor, password);
  const isEnded = await deps.db.transaction(async (tx) => {
    await lockActor(tx, actor);
    return deps.sessions.endOne(actor.userId, id, tx);
  });
  if (!isEnded) throw new AppError('NOT_FOUND', { message: 'That session has already ended.' });
}

/**
 * Ends all of a person's sessions but this one, and makes all devices unknown. @returns by what this one
 * is known again @throws what a wrong password throws
 */
export async function endOtherSessions(
  deps: CheckDeps,
  actor: ActorInSession,
  { password }: { password: OwnPassword },
): Promise<DeviceOwner> {
  await checkOwnPassword(deps, actor, password);
  return deps.db.transaction(async (tx) => {
    // Waits for a sign-in with the same password that has just begun, and ends it as well.
    await lockActor(tx, actor);
    await deps.sessions.endOthers(actor, tx);
    return { id: actor.userId, deviceRound: await findDeviceRound(tx, actor.userId) };
  });
}
