import type { BodyOf, ResponseOf } from '../../../shared/api/endpoint.ts';
import type { OwnPassword } from '../../../shared/api/own-password.ts';
import type * as endpoints from '../../../shared/api/passkeys.ts';
import { PASSKEYS_MAX } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { browserOf, newChallenge } from '../../auth/passkey-challenge.ts';
import { creationOptions } from '../../auth/passkey-options.ts';
import { invalidPasskey, verifyNewPasskey } from '../../auth/passkeys.ts';
import type { Actor, ActorInSession } from '../../auth/sessions.ts';
import { addressesOf } from '../../db/accounts/addresses.ts';
import { findAccount } from '../../db/accounts/users.ts';
import {
  deletePasskey,
  findPasskeys,
  insertPasskey,
  type PasskeyRow,
  takeChallenge,
} from '../../db/doors/passkeys.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';
import { type CheckDeps, checkOwnPassword, lockActor } from '../accounts/own-password.ts';
import { endPasskeyChoice } from '../accounts/passkey-choice.ts';
import { queueEmails, toEach } from '../emails/queue.ts';
import { checkWayIn } from './ways-in.ts';

export async function listPasskeys(
  { db }: Pick<Deps, 'db'>,
  { userId }: Actor,
): Promise<endpoints.Passkey[]> {
  return (await findPasskeys(db, userId)).map(present);
}

/** What a browser needs to make a passkey. @throws what a wrong password throws; VALIDATION_FAILED */
export async function newPasskeyOptions(
  deps: CheckDeps,
  actor: ActorInSession,
  { password }: { password: OwnPassword },
): Promise<ResponseOf<typeof endpoints.newPasskeyOptions>> {
  await checkOwnPassword(deps, actor, password);
  const known = await findPasskeys(deps.db, actor.userId);
  checkRoom(known);
  const user = await findAccount(deps.db, actor.userId);
  if (!user) throw new AppError('UNAUTHENTICATED');
  const challenge = await newChallenge(deps, { purpose: 'add', browser: browserOf(actor) });
  return creationOptions(deps, { challenge, known, user });
}

/**
 * Adds the passkey that a browser has made. Its challenge was handed out for the password only. The
 * owner is told at every address. @throws INVALID_PASSKEY, VALIDATION_FAILED
 */
export async function addPasskey(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'log' | 'mailQueued'>,
  actor: ActorInSession,
  { credential, device }: { credential: BodyOf<typeof endpoints.addPasskey>; device: string },
): Promise<endpoints.Passkey> {
  const { challenge, ...made } = await verifyNewPasskey(deps, browserOf(actor), credential);
  const passkey: PasskeyRow = {
    ...made,
    id: deps.ids.uuid(),
    userId: actor.userId,
    transports: credential.response.transports ?? [],
    name: device,
    createdAt: deps.clock.now(),
    lastUsedOn: null,
  };
  await deps.db.transaction(async (tx) => {
    const user = await lockActor(tx, actor);
    const known = await findPasskeys(tx, user.id);
    checkRoom(known);
    // What was chosen for passkeys that were removed as the account was taken back has ended.
    if (known.length === 0) await endPasskeyChoice(tx, deps, user);
    if (!(await takeChallenge(tx, challenge))) throw invalidPasskey();
    if (!(await insertPasskey(tx, passkey))) {
      throw new AppError('VALIDATION_FAILED', { message: 'This passkey is in use already.' });
    }
    const told = addressesOf(user);
    await queueEmails(tx, deps, 'passkey-added', toEach(user.id, told, passkey.id));
  });
  deps.mailQueued();
  return present(passkey);
}

/**
 * The last one ends the choice of `passkey-choice`. @throws NOT_FOUND; what a wrong password throws;
 * VALIDATION_FAILED where nothing else signs them in
 */
export async function removePasskey(
  deps: CheckDeps,
  actor: ActorInSession,
  { id, password }: { id: string; password: OwnPassword },
): Promise<void> {
  await checkOwnPassword(deps, actor, password);
  await deps.db.transaction(async (tx) => {
    const user = await lockActor(tx, actor);
    if (!isUuid(id) || !(await deletePasskey(tx, { id, userId: user.id }))) {
      throw new AppError('NOT_FOUND', { message: 'That passkey has already been removed.' });
    }
    await checkWayIn(tx, deps, user.id);
    if ((await findPasskeys(tx, user.id)).length === 0) await endPasskeyChoice(tx, deps, user);
  });
  deps.mailQueued();
}

function checkRoom(passkeys: PasskeyRow[]): void {
  if (passkeys.length < PASSKEYS_MAX) return;
  const message = `You have ${PASSKEYS_MAX} passkeys. Please remove one that you don't use any more.`;
  throw new AppError('VALIDATION_FAILED', { message });
}

function present({ id, name, isBackedUp, createdAt, lastUsedOn }: PasskeyRow): endpoints.Passkey {
  return { id, name, isBackedUp, addedAt: createdAt.toISOString(), lastUsedOn };
}
