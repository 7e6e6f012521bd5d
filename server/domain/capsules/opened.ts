import type { BodyOf } from '../../../shared/api/endpoint.ts';
import type { Opened, tellRead as tellReadEndpoint } from '../../../shared/api/opened.ts';
import { dayAt, knownZone } from '../../../shared/day.ts';
import { READY_MAX } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { findReady, noteReadAnswer, noteSeen } from '../../db/capsules/opened-capsules.ts';
import { setTellsWhenRead } from '../../db/emails/email-choices.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';

/** The capsules that have opened for a person and wait to be looked at. */
export async function listOpened(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
): Promise<Opened> {
  const { rows, total } = await findReady(db, actor.userId, clock.now(), READY_MAX);
  return {
    total,
    capsules: rows.map(({ createdAt, unlockAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      unlockAt: unlockAt.toISOString(),
    })),
  };
}

/** @returns whether the capsule counts as seen. @throws CAPSULE_NOT_FOUND when it was not received */
export async function markSeen(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId }: Actor,
  id: string,
): Promise<boolean> {
  const seen = isUuid(id) ? await noteSeen(db, { userId, id, now: clock.now() }) : null;
  if (seen === null) throw new AppError('CAPSULE_NOT_FOUND');
  return seen;
}

/**
 * Notes whether the creator may know that this person has read their capsule: the day, where the
 * person is, and nothing else. @throws CAPSULE_NOT_FOUND when it was not received
 */
export async function tellRead(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId }: Actor,
  input: BodyOf<typeof tellReadEndpoint> & { id: string },
): Promise<string | null> {
  const { id, tell, remember, timeZone, utcOffset } = input;
  if (!isUuid(id)) throw new AppError('CAPSULE_NOT_FOUND');
  const now = clock.now();
  const day = tell ? dayAt(now, knownZone(timeZone, utcOffset)) : null;
  return db.transaction(async (tx) => {
    if (remember) await setTellsWhenRead(tx, userId, tell);
    const openedOn = await noteReadAnswer(tx, { userId, id, now, day });
    if (openedOn === undefined) throw new AppError('CAPSULE_NOT_FOUND');
    return openedOn;
  });
}
