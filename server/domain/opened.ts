import type { Opened } from '../../shared/api/opened.ts';
import { READY_MAX } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import type { Actor } from '../auth/sessions.ts';
import { findReady, noteSeen } from '../db/opened-capsules.ts';
import type { Deps } from '../deps.ts';
import { isUuid } from './is-uuid.ts';

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
