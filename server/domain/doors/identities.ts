import type { Identity } from '../../../shared/api/identities.ts';
import type { OwnPassword } from '../../../shared/api/own-password.ts';
import { AppError } from '../../app-error.ts';
import { issuerOf } from '../../auth/identity-provider.ts';
import type { ActorInSession } from '../../auth/sessions.ts';
import { addressesOf } from '../../db/accounts/addresses.ts';
import {
  deleteIdentity,
  findConfirmation,
  findIdentityOf,
  type IdentityRow,
  insertIdentity,
} from '../../db/doors/identities.ts';
import type { Deps } from '../../deps.ts';
import { type CheckDeps, checkOwnPassword, lockActor } from '../accounts/own-password.ts';
import { queueEmails, toEach } from '../emails/queue.ts';
import { undoableUntil } from './undo-key.ts';
import { checkWayIn, hasPassword } from './ways-in.ts';

/** What a person reads of their identity. @throws NOT_FOUND where there is no provider */
export async function getIdentity(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  { userId, sessionId }: ActorInSession,
): Promise<Identity> {
  const identity = await findIdentityOf(deps.db, userId, issuerOf(deps));
  const confirmedUntil = await findConfirmation(deps.db, sessionId, deps.clock.now());
  return {
    linkedAt: identity?.createdAt.toISOString() ?? null,
    hasPassword: await hasPassword(deps.db, deps, userId),
    confirmedUntil: confirmedUntil?.toISOString() ?? null,
  };
}

/** Called before somebody goes to the provider to link. @throws what a wrong password throws; NOT_FOUND */
export async function checkLinking(
  deps: CheckDeps,
  actor: ActorInSession,
  { password }: { password: OwnPassword },
): Promise<void> {
  const issuer = issuerOf(deps);
  await checkOwnPassword(deps, actor, password);
  if (await findIdentityOf(deps.db, actor.userId, issuer)) throw linkedAlready();
}

/**
 * Links an identity to who is signed in. The owner is told at every address, and can undo it there.
 * @throws IDENTITY_TAKEN
 */
export async function addIdentity(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'mailQueued'>,
  actor: ActorInSession,
  whose: Pick<IdentityRow, 'issuer' | 'subject'>,
): Promise<void> {
  const { userId } = actor;
  const createdAt = deps.clock.now();
  const settledAt = undoableUntil({ createdAt });
  const id = deps.ids.uuid();
  await deps.db.transaction(async (tx) => {
    const user = await lockActor(tx, actor);
    if (await findIdentityOf(tx, userId, whose.issuer)) throw linkedAlready();
    const row = { ...whose, id, userId, createdAt, settledAt, lastUsedOn: null };
    if (!(await insertIdentity(tx, row))) throw new AppError('IDENTITY_TAKEN');
    await queueEmails(tx, deps, 'identity-linked', toEach(userId, addressesOf(user), id));
  });
  deps.mailQueued();
}

/** @throws NOT_FOUND; what a wrong password throws; VALIDATION_FAILED where nothing else signs them in */
export async function removeIdentity(
  deps: CheckDeps,
  actor: ActorInSession,
  { password }: { password: OwnPassword },
): Promise<void> {
  const issuer = issuerOf(deps);
  await checkOwnPassword(deps, actor, password);
  await deps.db.transaction(async (tx) => {
    await lockActor(tx, actor);
    const identity = await findIdentityOf(tx, actor.userId, issuer);
    if (!identity) throw new AppError('NOT_FOUND', { message: 'That is unlinked already.' });
    await deleteIdentity(tx, identity);
    await checkWayIn(tx, deps, actor.userId);
  });
}

function linkedAlready(): AppError {
  const message = 'An account is linked already. Please unlink it first.';
  return new AppError('VALIDATION_FAILED', { message });
}
