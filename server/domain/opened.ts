import type { Opened } from '../../shared/api/opened.ts';
import { DAY_MS, NEWLY_OPENED_DAYS, NEWLY_OPENED_MAX } from '../../shared/limits.ts';
import type { Actor } from '../auth/sessions.ts';
import { findOpenings } from '../db/opened-capsules.ts';
import type { Deps } from '../deps.ts';
import { isOpen } from './capsule-view.ts';

const NEWLY_OPENED_MS = NEWLY_OPENED_DAYS * DAY_MS;

/**
 * The ids of a person's recently opened capsules. @param input.since ISO 8601; without it there
 * are no ids, only the time to send as `since` in the next call
 */
export async function listOpened(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  { since }: { since?: string | undefined },
): Promise<Opened> {
  const now = clock.now();
  const asOf = now.toISOString();
  if (since === undefined) return { asOf, ids: [] };
  const rows = await findOpenings(db, actor.userId, {
    after: new Date(Math.max(Date.parse(since), now.getTime() - NEWLY_OPENED_MS)),
    until: now,
    limit: NEWLY_OPENED_MAX,
  });
  return { asOf, ids: rows.filter((row) => isOpen(row, now)).map(({ id }) => id) };
}
