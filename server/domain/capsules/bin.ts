import type { Bin } from '../../../shared/api/bin.ts';
import type { OwnPassword } from '../../../shared/api/own-password.ts';
import { BIN_SHOWN_MAX } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { readSignedId } from '../../auth/link-signer.ts';
import type { Actor, ActorInSession } from '../../auth/sessions.ts';
import { addressesOf } from '../../db/accounts/addresses.ts';
import { lockUser } from '../../db/accounts/users.ts';
import {
  concernsOthers,
  findBin,
  findDeletion,
  goneAt,
  putInBin,
  removeFromBin,
  takeFromBin,
} from '../../db/capsules/bin.ts';
import { countQueuedSince } from '../../db/emails/notices.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';
import { type CheckDeps, checkOwnPassword, lockActor } from '../accounts/own-password.ts';
import { queueEmails, toEach } from '../emails/queue.ts';
import { aDayBefore } from './seals-a-day.ts';

/** Deletions that each address is told of within 24 hours. What is beyond them is in the bin all the same. */
const TOLD_A_DAY = 20;

/**
 * Deletes a capsule for everyone. Its creator can bring it back for a while, and is told if it
 * concerns others: a session alone, on a device that was left open, must not destroy what was sealed
 * for them.
 * @throws CAPSULE_NOT_FOUND
 */
export async function deleteCapsule(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'mailQueued'>,
  { userId: ownerId }: Actor,
  capsuleId: string,
): Promise<void> {
  if (!isUuid(capsuleId)) throw notFound();
  await deps.db.transaction(async (tx) => {
    const owner = await lockUser(tx, ownerId);
    const id = deps.ids.uuid();
    const now = deps.clock.now();
    if (!owner || !(await putInBin(tx, { id, capsuleId, ownerId, now }))) throw notFound();
    if (!(await concernsOthers(tx, { capsuleId, ownerId }))) return;
    const kind = 'capsule-deleted';
    const addresses = addressesOf(owner);
    const counts = await countQueuedSince(tx, { kind, userIds: [ownerId], after: aDayBefore(now) });
    if ((counts.get(ownerId) ?? 0) >= TOLD_A_DAY * addresses.length) return;
    await queueEmails(tx, deps, kind, toEach(ownerId, addresses, id));
  });
  deps.mailQueued();
}

export async function listBin(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId: ownerId }: Actor,
): Promise<Bin> {
  const { rows, total } = await findBin(db, { ownerId, now: clock.now(), limit: BIN_SHOWN_MAX });
  const capsules = rows.map(({ deletedAt, ...capsule }) => ({
    ...capsule,
    deletedAt: deletedAt.toISOString(),
    goneAt: goneAt(deletedAt).toISOString(),
  }));
  return { capsules, totalItems: total };
}

/** Brings a capsule back from this person's bin. @throws CAPSULE_NOT_FOUND */
export async function restoreCapsule(
  deps: Pick<Deps, 'db' | 'clock'>,
  { userId: ownerId }: Pick<Actor, 'userId'>,
  capsuleId: string,
): Promise<void> {
  if (!isUuid(capsuleId) || !(await bringBack(deps, { ownerId, capsuleId }))) throw notFound();
}

/** @returns false if it isn't there any more */
function bringBack(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  asked: { ownerId: string; capsuleId: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const owner = await lockUser(tx, asked.ownerId);
    return owner !== undefined && (await takeFromBin(tx, { ...asked, now: clock.now() }));
  });
}

/** Deletes for good what is in this person's bin. @throws CAPSULE_NOT_FOUND; what a wrong password throws */
export async function deleteForGood(
  deps: CheckDeps & Pick<Deps, 'filesReleased'>,
  actor: ActorInSession,
  { id: capsuleId, password }: { id: string; password: OwnPassword },
): Promise<void> {
  await checkOwnPassword(deps, actor, password);
  if (!isUuid(capsuleId)) throw notFound();
  await deps.db.transaction(async (tx) => {
    await lockActor(tx, actor);
    const now = deps.clock.now();
    const isGone = await removeFromBin(tx, { capsuleId, ownerId: actor.userId, now });
    if (!isGone) throw notFound();
  });
  deps.filesReleased();
}

/** For whoever reads the owner's emails, without a session. @throws INVALID_RESTORE_LINK */
export async function restoreByLink(
  deps: Pick<Deps, 'db' | 'clock' | 'ids'>,
  token: string,
): Promise<void> {
  const id = await readSignedId(deps, 'restore', token);
  const deletion = id ? await findDeletion(deps.db, { id, now: deps.clock.now() }) : undefined;
  if (!deletion || !(await bringBack(deps, deletion))) throw new AppError('INVALID_RESTORE_LINK');
}

const notFound = () => new AppError('CAPSULE_NOT_FOUND');
