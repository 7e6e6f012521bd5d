import type { BodyOf } from '../../../shared/api/endpoint.ts';
import type { OwnPassword } from '../../../shared/api/own-password.ts';
import type {
  CodesLeft,
  enterRecoveryCode as endpoint,
} from '../../../shared/api/recovery-codes.ts';
import { RECOVERY_CODES } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { hashCode, randomCode } from '../../auth/recovery-code.ts';
import type { Actor, ActorInSession } from '../../auth/sessions.ts';
import { findWaitingPassword } from '../../db/accounts/account-changes.ts';
import { type DeviceOwner, findDeviceRound, lockUser } from '../../db/accounts/users.ts';
import {
  countRecoveryCodes,
  findCodeOwner,
  putRecoveryCodes,
  takeRecoveryCode,
} from '../../db/doors/recovery-codes.ts';
import type { Deps } from '../../deps.ts';
import { activatePendingPassword } from '../accounts/new-password.ts';
import { type CheckDeps, checkOwnPassword, lockActor } from '../accounts/own-password.ts';
import { checkPasswordsOn } from '../accounts/password-policy.ts';

export async function getRecoveryCodes(
  { db }: Pick<Deps, 'db'>,
  { userId }: Actor,
): Promise<CodesLeft> {
  const { left, madeAt } = await countRecoveryCodes(db, userId);
  return { left, madeAt: madeAt?.toISOString() ?? null };
}

/**
 * Makes new codes in place of the earlier ones. The database has their hashes only.
 * @throws what a wrong password throws
 */
export async function makeRecoveryCodes(
  deps: CheckDeps,
  actor: ActorInSession,
  { password }: { password: OwnPassword },
): Promise<{ codes: string[] }> {
  await checkOwnPassword(deps, actor, password);
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomCode(deps.ids));
  await deps.db.transaction(async (tx) => {
    // Two of the same person at once would leave the codes of both.
    await lockActor(tx, actor);
    await putRecoveryCodes(tx, {
      userId: actor.userId,
      codeHashes: codes.map(hashCode),
      now: deps.clock.now(),
    });
  });
  return { codes };
}

/**
 * Ends the wait of a new password, in place of another address. The password is asked for as well:
 * somebody else may have set the one that waits now. @throws INVALID_RECOVERY_CODE, after which the
 * code still works @returns by what the device is known from now on
 */
export async function enterRecoveryCode(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'passwords' | 'sessions' | 'mailQueued'>,
  { code, password }: BodyOf<typeof endpoint>,
): Promise<DeviceOwner> {
  checkPasswordsOn(deps);
  const codeHash = hashCode(code);
  const userId = await findCodeOwner(deps.db, codeHash);
  const pending = userId && (await findWaitingPassword(deps.db, userId));
  if (!pending || !(await deps.passwords.verify(pending.passwordHash, password))) throw invalid();
  const { id } = pending;
  const deviceRound = await deps.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    // Before the password, which deletes new codes, and this one with them.
    const isTaken = await takeRecoveryCode(tx, codeHash);
    if (!isTaken || !(await activatePendingPassword(tx, deps, { userId, id }))) throw invalid();
    return findDeviceRound(tx, userId);
  });
  deps.mailQueued();
  return { id: userId, deviceRound };
}

const invalid = () => new AppError('INVALID_RECOVERY_CODE');
