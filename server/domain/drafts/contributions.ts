import type {
  ContributionContent,
  ContributionFile,
  ContributionLink,
  OwnContribution,
} from '../../../shared/api/contributions.ts';
import type { DraftContent } from '../../../shared/api/drafts.ts';
import type { BodyOf } from '../../../shared/api/endpoint.ts';
import type { UploadState, startUpload as uploadEndpoint } from '../../../shared/api/uploads.ts';
import { CONTRIBUTION_MB, MEGABYTE } from '../../../shared/limits.ts';
import { isBlank } from '../../../shared/visible-text.ts';
import { AppError } from '../../app-error.ts';
import { equal } from '../../auth/equal.ts';
import { hashToken } from '../../auth/token-hash.ts';
import { lockUser } from '../../db/accounts/users.ts';
import {
  type ContributionRow,
  countContributions,
  deleteContribution,
  findArrivedOf,
  findContribution,
  findLink,
  insertContribution,
  keepUploads,
  updateContribution,
} from '../../db/drafts/contributions.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { withRoom } from '../storage/storage-limit.ts';
import { startUpload } from '../storage/uploads.ts';
import { withPersonLocked } from './drafts.ts';

/*
 * What people without an account add to a draft by its link. Each part is its writer's alone until the
 * capsule opens. Whatever changes one locks the organiser, as sealing does: a part is in, or its writer
 * is told that it came too late.
 */

/** What the device of a writer sends with each call. */
export interface Writer {
  /** Of the contribution. */
  id: string;
  secret: string;
}

/** Who asks by a link, and what for. @throws CONTRIBUTION_LINK_INVALID, CONTRIBUTION_TOO_LATE */
export async function openContributionLink(
  { config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>,
  token: string,
): Promise<ContributionLink> {
  const { organiser, content, words, until } = await openLink(db, { clock }, token);
  return {
    organiser,
    title: titleOf(content),
    words,
    until,
    maxFileMB: Math.min(config.maxFileMB, CONTRIBUTION_MB),
    maxMB: CONTRIBUTION_MB,
  };
}

/** One answer for a link that was ended, guessed, or is over: nothing can be learnt from it. */
async function openLink(db: Queryable, { clock }: Pick<Deps, 'clock'>, token: string) {
  const link = await findLink(db, hashToken(token), clock.now());
  if (!link || link.suspendedAt || link.gone === 'discarded') throw invalid();
  if (link.gone === 'sealed') throw new AppError('CONTRIBUTION_TOO_LATE');
  return link;
}

const invalid = () => new AppError('CONTRIBUTION_LINK_INVALID');
const notFound = () => new AppError('CONTRIBUTION_NOT_FOUND');

function titleOf(content: string | null): string {
  const draft: DraftContent | null = content === null ? null : JSON.parse(content);
  return draft?.fields.title.trim() ?? '';
}

type Found = NonNullable<Awaited<ReturnType<typeof findContribution>>>;

/** @throws CONTRIBUTION_NOT_FOUND for whoever doesn't have its secret, and if its draft was discarded */
async function findOwn(db: Queryable, { id, secret }: Writer): Promise<Found> {
  const found = await findContribution(db, id);
  if (!found || !equal(found.contribution.secretHash, hashToken(secret))) throw notFound();
  if (found.gone === 'discarded') throw notFound();
  return found;
}

/** @throws CONTRIBUTION_NOT_FOUND; CONTRIBUTION_TOO_LATE once it is sealed */
async function findWaiting(db: Queryable, writer: Writer): Promise<ContributionRow> {
  const { contribution } = await findOwn(db, writer);
  if (contribution.capsuleId !== null) throw new AppError('CONTRIBUTION_TOO_LATE');
  return contribution;
}

/** @throws CONTRIBUTION_NOT_FOUND */
export async function getContribution(
  { db }: Pick<Deps, 'db'>,
  writer: Writer,
): Promise<OwnContribution> {
  const { contribution, organiser, content } = await findOwn(db, writer);
  const arrived = await findArrivedOf(db, contribution);
  if (contribution.capsuleId !== null) return { state: 'sealed', arrived };
  const { revision, name, letter, files } = contribution;
  return {
    state: 'waiting',
    ...{ revision, name, letter, arrived },
    organiser: organiser ?? '',
    title: titleOf(content),
    files: JSON.parse(files),
  };
}

/**
 * Why somebody may not add or change a part, asked before what they send is there. Null if they may.
 * What they send can say more: whether the part is one that was removed.
 */
export async function whyNotAdd(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { token, ...writer }: Writer & { token: string },
): Promise<AppError | null> {
  try {
    if (await findContribution(db, writer.id)) await findWaiting(db, writer);
    else await openLink(db, { clock }, token);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

type NewRevision = Writer & ContributionContent & { base: number; token: string };

/**
 * Adds a part, or changes it. The organiser's storage limit does not count here: a letter is small, and
 * nobody who was asked for one should be refused for what they can't see.
 * @throws CONTRIBUTION_LINK_INVALID, CONTRIBUTION_NOT_FOUND, CONTRIBUTION_CHANGED, CONTRIBUTION_TOO_LATE,
 *   CONTRIBUTIONS_FULL, VALIDATION_FAILED
 */
export async function saveContribution(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  { id, secret, token, base, name, letter, files }: NewRevision,
): Promise<{ revision: number }> {
  const { config, db, clock } = deps;
  checkSizes(config, files);
  const isKnown = (await findContribution(db, id)) !== undefined;
  // It was taken back or removed meanwhile.
  if (!isKnown && base > 0) throw notFound();
  const { userId } = isKnown
    ? await findWaiting(db, { id, secret })
    : await openLink(db, deps, token);
  // As it is stored, so that a repeat is known: a half-typed text may end with half of a character.
  const change = {
    name: name.toWellFormed(),
    letter: isBlank(letter) ? '' : letter.toWellFormed(),
    files: JSON.stringify(files),
    updatedAt: clock.now(),
  };
  const save = async (tx: Queryable) => {
    if (await findContribution(tx, id)) {
      const before = await findWaiting(tx, { id, secret });
      if (before.userId !== userId) throw notFound();
      // A repeat after a lost answer.
      if (isSame(before, change)) return { revision: before.revision };
      if (base < before.revision) throw new AppError('CONTRIBUTION_CHANGED');
      const kept = files.map((file) => file.id);
      await keepUploads(tx, before, kept);
      return { revision: await updateContribution(tx, id, change) };
    }
    if (base > 0) throw notFound();
    const link = await openLink(tx, deps, token);
    const draft = { userId: link.userId, id: link.draftId };
    if ((await countContributions(tx, draft)) >= config.maxContributors) {
      throw new AppError('CONTRIBUTIONS_FULL');
    }
    const added = await insertContribution(tx, {
      ...{ id, userId: link.userId, draftId: link.draftId, capsuleId: null },
      ...{ ...change, revision: 1, secretHash: hashToken(secret), createdAt: change.updatedAt },
    });
    if (!added) throw notFound();
    return { revision: 1 };
  };
  return withPersonLocked(db, { userId }, save, invalid);
}

/** @throws VALIDATION_FAILED */
function checkSizes({ maxFileMB }: Deps['config'], files: ContributionFile[]): void {
  const tooLarge = files.find(({ bytes }) => bytes > maxFileMB * MEGABYTE);
  if (!tooLarge) return;
  const message = `"${tooLarge.name}" is too large. A file can be at most ${maxFileMB} MB.`;
  throw new AppError('VALIDATION_FAILED', { message, errors: { files: message } });
}

type Written = Pick<ContributionRow, 'name' | 'letter' | 'files'>;

function isSame(a: Written, b: Written): boolean {
  return a.name === b.name && a.letter === b.letter && a.files === b.files;
}

/** @throws CONTRIBUTION_NOT_FOUND, CONTRIBUTION_TOO_LATE */
export async function takeBackContribution(
  { db }: Pick<Deps, 'db'>,
  writer: Writer,
): Promise<void> {
  const { userId } = await findWaiting(db, writer);
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await deleteContribution(tx, await findWaiting(tx, writer));
  });
}

/** Whose the uploads of a contribution are: the organiser's, as that contribution alone reaches them. */
interface Uploader {
  userId: string;
  contributionId: string;
  draftId: string;
  /** What the contribution names. */
  files: ContributionFile[];
}

/** @throws CONTRIBUTION_NOT_FOUND, CONTRIBUTION_TOO_LATE; CONTRIBUTION_LINK_INVALID while suspended */
export async function uploaderOf({ db }: { db: Queryable }, writer: Writer): Promise<Uploader> {
  const { contribution, suspendedAt } = await findOwn(db, writer);
  const { id, userId, draftId, files } = contribution;
  if (draftId === null) throw new AppError('CONTRIBUTION_TOO_LATE');
  if (suspendedAt) throw invalid();
  return { userId, contributionId: id, draftId, files: JSON.parse(files) };
}

/** @throws what `startUpload` throws; UPLOAD_NOT_FOUND for a file that the contribution doesn't name so */
export async function startContributionUpload(
  deps: Parameters<typeof startUpload>[0],
  writer: Writer,
  { id, fileName, bytes }: BodyOf<typeof uploadEndpoint> & { id: string },
): Promise<UploadState> {
  const { userId, contributionId, draftId } = await uploaderOf(deps, writer);
  const owner = { userId, contributionId };
  const mayStart = async (tx: Queryable) => {
    const { files } = await uploaderOf({ db: tx }, writer);
    const named = files.find((file) => file.id === id);
    if (named?.name !== fileName || named.bytes !== bytes) throw new AppError('UPLOAD_NOT_FOUND');
  };
  const start = () => startUpload(deps, owner, id, { fileName, bytes, draft: draftId }, mayStart);
  try {
    return await withRoom(deps, owner, start);
  } catch (error) {
    const isFull = error instanceof AppError && error.code === 'STORAGE_LIMIT_REACHED';
    throw isFull ? new AppError('STORAGE_LIMIT_REACHED', { message: NO_ROOM }) : error;
  }
}

const NO_ROOM =
  "There's no room for this file at the moment. Your words have arrived. Please tell whoever sent you the link.";
