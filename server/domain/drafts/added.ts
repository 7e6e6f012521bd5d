import type {
  ContributionFile,
  listAdded as listEndpoint,
  NewContributionLink,
} from '../../../shared/api/contributions.ts';
import type { ResponseOf } from '../../../shared/api/endpoint.ts';
import { addDays, addYears, dayAt, knownZone, startOfDay } from '../../../shared/day.ts';
import { UNLOCK_YEARS_MAX } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { hashToken } from '../../auth/token-hash.ts';
import {
  deleteContribution,
  deleteLink,
  findAdded,
  findContribution,
  findLinkOf,
  replaceLink,
} from '../../db/drafts/contributions.ts';
import { findDraft } from '../../db/drafts/drafts.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { withPersonLocked } from './drafts.ts';

/*
 * What others add to a draft, as its organiser has it: who, and how much, but never a letter or a
 * file. contributions.ts beside it is for those who add.
 */

/** Makes the link by which others can add. The former one ends. @throws NOT_FOUND, VALIDATION_FAILED */
export async function makeContributionLink(
  { db, clock, ids }: Pick<Deps, 'db' | 'clock' | 'ids'>,
  actor: Actor,
  { id, words, until, ...place }: NewContributionLink & { id: string },
): Promise<{ token: string; madeAt: string }> {
  const token = ids.token();
  const now = clock.now();
  const zone = knownZone(place.timeZone, place.utcOffset);
  if (until !== null) checkUntil(until, dayAt(now, zone));
  const endsAt = until === null ? null : startOfDay(addDays(until, 1), zone);
  await withPersonLocked(db, actor, async (tx) => {
    await checkDraft(tx, actor, id);
    await replaceLink(tx, {
      userId: actor.userId,
      draftId: id,
      tokenHash: hashToken(token),
      ...{ words, until, endsAt, madeAt: now },
    });
  });
  return { token, madeAt: now.toISOString() };
}

function checkUntil(until: string, today: string): void {
  if (until >= today && until <= addYears(today, UNLOCK_YEARS_MAX)) return;
  const message = `Please choose today or a later day, within ${UNLOCK_YEARS_MAX} years.`;
  throw new AppError('VALIDATION_FAILED', { message, errors: { until: message } });
}

/** @throws NOT_FOUND */
async function checkDraft(db: Queryable, { userId }: Actor, id: string): Promise<void> {
  const draft = await findDraft(db, { userId, id });
  if (draft && !draft.gone) return;
  throw new AppError('NOT_FOUND', { message: "This draft isn't saved to your account." });
}

/** What others have added stays. */
export async function endContributionLink(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  id: string,
): Promise<void> {
  // Locked, so that nobody who comes by this link at this moment is in after the answer.
  await withPersonLocked(db, actor, (tx) => deleteLink(tx, { userId: actor.userId, id }));
}

/** Who has added, in the order they came. @throws NOT_FOUND */
export async function listAdded(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  actor: Actor,
  id: string,
): Promise<ResponseOf<typeof listEndpoint>> {
  await checkDraft(db, actor, id);
  const name = { userId: actor.userId, id };
  const link = await findLinkOf(db, name);
  const rows = await findAdded(db, name);
  return {
    link: link ? { words: link.words, until: link.until, madeAt: link.madeAt.toISOString() } : null,
    most: config.maxContributors,
    contributions: rows.map(({ files, updatedAt, ...row }) => {
      const named: ContributionFile[] = JSON.parse(files);
      return {
        ...row,
        underWay: named.length - row.fileCount,
        updatedAt: updatedAt.toISOString(),
      };
    }),
  };
}

/** Removes what somebody has added, unread. @throws CONTRIBUTION_NOT_FOUND, also once it is sealed */
export async function removeAdded(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  { id, contributionId }: { id: string; contributionId: string },
): Promise<void> {
  await withPersonLocked(db, actor, async (tx) => {
    const contribution = (await findContribution(tx, contributionId))?.contribution;
    if (contribution?.userId !== actor.userId || contribution.draftId !== id) {
      throw new AppError('CONTRIBUTION_NOT_FOUND');
    }
    await deleteContribution(tx, contribution);
  });
}
