import type {
  ContributionFile,
  listAdded as listEndpoint,
  NewContributionLink,
} from '../../../shared/api/contributions.ts';
import type { ResponseOf } from '../../../shared/api/endpoint.ts';
import { addDays, addYears, dayAt, knownZone, startOfDay } from '../../../shared/day.ts';
import { DAY_MS, REMOVED_KEPT_DAYS, UNLOCK_YEARS_MAX } from '../../../shared/limits.ts';
import { AppError, fieldError } from '../../app-error.ts';
import { linkSigner } from '../../auth/link-signer.ts';
import type { Actor } from '../../auth/sessions.ts';
import { hashToken } from '../../auth/token-hash.ts';
import { later } from '../../clock/clock.ts';
import {
  deleteLink,
  findAdded,
  findArrivedOf,
  findContribution,
  findLinkOf,
  findRemoved,
  keepUploads,
  type LinkRow,
  replaceLink,
  setRemoved,
} from '../../db/drafts/contributions.ts';
import {
  type DraftName,
  type DraftRow,
  findDraftOutside,
  raiseLinkNumber,
} from '../../db/drafts/drafts.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { withPersonLocked } from './drafts.ts';

/*
 * What others add to a draft, as its organiser has it: who, and how much, but never a letter or a
 * file. contributions.ts beside it is for those who add.
 */

/**
 * Makes the link by which others can add. One that is there stays as it is: another device has made it,
 * and somebody may have it already. @throws NOT_FOUND, VALIDATION_FAILED
 */
export async function makeContributionLink(
  { db, clock, ids }: Pick<Deps, 'db' | 'clock' | 'ids'>,
  actor: Actor,
  { id, words, isSurprise, until, ...place }: NewContributionLink & { id: string },
): Promise<{ token: string; madeAt: string }> {
  const sign = await linkSigner({ db, ids });
  const now = clock.now();
  const zone = knownZone(place.timeZone, place.utcOffset);
  const today = dayAt(now, zone);
  if (until !== null) checkUntil(until, today);
  const endsAt = until === null ? null : startOfDay(addDays(until, 1), zone);
  const name = { userId: actor.userId, id };
  return withPersonLocked(db, actor, async (tx) => {
    const former = sign(linkText(name, await checkDraft(tx, actor, id)));
    const link = await findLinkOf(tx, name);
    if (link?.tokenHash === hashToken(former) && !isOver(link, now, today)) {
      return { token: former, madeAt: link.madeAt.toISOString() };
    }
    const token = sign(linkText(name, await raiseLinkNumber(tx, name)));
    await replaceLink(tx, {
      userId: actor.userId,
      draftId: id,
      tokenHash: hashToken(token),
      ...{ words, isSurprise, until, endsAt, madeAt: now },
    });
    return { token, madeAt: now.toISOString() };
  });
}

/** @param today where its organiser is now, whose form goes by that */
function isOver({ until, endsAt }: LinkRow, now: Date, today: string): boolean {
  return (endsAt !== null && endsAt <= now) || (until !== null && until < today);
}

/** What the token of a link signs. A draft that is forgotten and begins again counts from the start. */
function linkText({ userId, id }: DraftName, draft: Pick<DraftRow, 'linkNumber' | 'createdAt'>) {
  return `contribution ${userId} ${id} ${draft.createdAt.getTime()} ${draft.linkNumber}`;
}

function checkUntil(until: string, today: string): void {
  if (until >= today && until <= addYears(today, UNLOCK_YEARS_MAX)) return;
  const message = `Please choose today or a later day, within ${UNLOCK_YEARS_MAX} years.`;
  throw fieldError('until', message);
}

/** @throws NOT_FOUND */
async function checkDraft(db: Queryable, { userId }: Actor, id: string) {
  const draft = await findDraftOutside(db, { userId, id });
  if (draft && !draft.gone) return draft;
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
  { config, db, clock, ids }: Pick<Deps, 'config' | 'db' | 'clock' | 'ids'>,
  actor: Actor,
  id: string,
): Promise<ResponseOf<typeof listEndpoint>> {
  const draft = await checkDraft(db, actor, id);
  const name = { userId: actor.userId, id };
  const link = await findLinkOf(db, name);
  const token = (await linkSigner({ db, ids }))(linkText(name, draft));
  const rows = await findAdded(db, name);
  const removed = await findRemoved(db, name, aWeekBefore(clock.now()));
  return {
    link: link
      ? {
          ...{ words: link.words, isSurprise: link.isSurprise, until: link.until },
          madeAt: link.madeAt.toISOString(),
          // A version before this one has made it at random.
          ...(hashToken(token) === link.tokenHash && { token }),
        }
      : null,
    most: config.maxContributors,
    contributions: rows.map(({ files, updatedAt, ...row }) => {
      const named: ContributionFile[] = JSON.parse(files);
      return {
        ...row,
        underWay: named.length - row.fileCount,
        updatedAt: updatedAt.toISOString(),
      };
    }),
    ...(removed.length > 0 && { removed }),
  };
}

interface AddedName {
  /** Of the draft. */
  id: string;
  contributionId: string;
}

/**
 * Removes what somebody has added, unread. It can be put back for a week: it may be the only copy, and
 * whoever removes it may only have a session. @throws CONTRIBUTION_NOT_FOUND, also once it is sealed
 */
export async function removeAdded(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  name: AddedName,
): Promise<void> {
  await withPersonLocked(db, actor, async (tx) => {
    const contribution = await findOf(tx, actor, name);
    if (contribution.removedAt) throw new AppError('CONTRIBUTION_NOT_FOUND');
    // What has not arrived whole would only take room.
    await keepUploads(tx, contribution, await findArrivedOf(tx, contribution));
    await setRemoved(tx, contribution.id, clock.now());
  });
}

/** @throws CONTRIBUTION_NOT_FOUND, also after a week, and once the draft is sealed or discarded */
export async function putBackAdded(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  name: AddedName,
): Promise<void> {
  await withPersonLocked(db, actor, async (tx) => {
    const { id, removedAt } = await findOf(tx, actor, name);
    const draft = await findDraftOutside(tx, { userId: actor.userId, id: name.id });
    if (!removedAt || removedAt <= aWeekBefore(clock.now()) || !draft || draft.gone) {
      throw new AppError('CONTRIBUTION_NOT_FOUND');
    }
    await setRemoved(tx, id, null);
  });
}

/** @throws CONTRIBUTION_NOT_FOUND */
async function findOf(tx: Queryable, actor: Actor, { id, contributionId }: AddedName) {
  const contribution = (await findContribution(tx, contributionId))?.contribution;
  if (contribution?.userId === actor.userId && contribution.draftId === id) return contribution;
  throw new AppError('CONTRIBUTION_NOT_FOUND');
}

const aWeekBefore = (now: Date) => later(now, -REMOVED_KEPT_DAYS * DAY_MS);
