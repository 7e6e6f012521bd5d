import type {
  ContributionContent,
  ContributionFile,
  ContributionLink,
  OwnContribution,
} from '../../../shared/api/contributions.ts';
import type { BodyOf } from '../../../shared/api/endpoint.ts';
import type { UploadState, startUpload as uploadEndpoint } from '../../../shared/api/uploads.ts';
import { CONTRIBUTION_MB, MEGABYTE } from '../../../shared/limits.ts';
import { AppError, fieldError } from '../../app-error.ts';
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
import type { DraftRow } from '../../db/drafts/drafts.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails } from '../emails/queue.ts';
import { checkRoomForLetters } from '../storage/storage-limit.ts';
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
  const { organiser, words, isSurprise, until, ...draft } = await openLink(db, { clock }, token);
  return {
    ...{ organiser, words, until },
    ...toldOf(draft, isSurprise),
    maxFileMB: Math.min(config.maxFileMB, CONTRIBUTION_MB),
    maxMB: CONTRIBUTION_MB,
  };
}

/** What those who add are told of a draft. Nothing is noted of one from before 1.0.0 until it is saved again. */
function toldOf({ title, recipientNames, dateToUnlock }: Noted, isSurprise: boolean) {
  const told = { title: title ?? '' };
  if (isSurprise) return told;
  return { ...told, recipientNames: recipientNames ?? [], ...(dateToUnlock && { dateToUnlock }) };
}

type Noted = Pick<DraftRow, 'title' | 'recipientNames' | 'dateToUnlock'>;

/** One answer for a link that was ended, guessed, or is over: nothing can be learnt from it. */
async function openLink(db: Queryable, { clock }: Pick<Deps, 'clock'>, token: string) {
  const link = await findLink(db, hashToken(token), clock.now());
  if (!link || link.suspendedAt || link.gone === 'discarded') throw invalid();
  if (link.gone === 'sealed') {
    const message = `Nothing more can be added. Please ask ${link.organiser}, who sealed it.`;
    throw new AppError('CONTRIBUTION_TOO_LATE', { message });
  }
  return link;
}

const invalid = () => new AppError('CONTRIBUTION_LINK_INVALID');
const notFound = () => new AppError('CONTRIBUTION_NOT_FOUND');

type Found = NonNullable<Awaited<ReturnType<typeof findContribution>>>;

/**
 * @throws CONTRIBUTION_NOT_FOUND for whoever doesn't have its secret, and if it or its draft was removed;
 * CONTRIBUTION_ELSEWHERE for the device that wrote before another one went on
 */
async function findOwn(db: Queryable, { id, secret }: Writer): Promise<Found> {
  const found = await findContribution(db, id);
  if (!found || found.contribution.removedAt || found.gone === 'discarded') throw notFound();
  const { secretHash, formerSecretHash } = found.contribution;
  const hash = hashToken(secret);
  if (equal(secretHash, hash)) return found;
  if (formerSecretHash !== null && equal(formerSecretHash, hash)) {
    throw new AppError('CONTRIBUTION_ELSEWHERE');
  }
  throw notFound();
}

/** @throws CONTRIBUTION_NOT_FOUND; CONTRIBUTION_TOO_LATE once it is sealed */
async function findWaiting(db: Queryable, writer: Writer): Promise<ContributionRow> {
  const { contribution } = await findOwn(db, writer);
  if (contribution.capsuleId !== null) throw new AppError('CONTRIBUTION_TOO_LATE');
  return contribution;
}

/**
 * As `findWaiting`, for a device that goes on with a secret of its own, perhaps after a lost answer: the
 * personal link by which it came may be known to somebody else. @throws as `findWaiting`
 */
async function findTaking(
  db: Queryable,
  { id, secret }: Writer,
  newSecret: string | undefined,
): Promise<ContributionRow> {
  const row = newSecret && (await findContribution(db, id))?.contribution;
  const isTaken = row && newSecret && equal(row.secretHash, hashToken(newSecret));
  return findWaiting(db, { id, secret: isTaken ? newSecret : secret });
}

/** @throws CONTRIBUTION_NOT_FOUND */
export async function getContribution(
  { db }: Pick<Deps, 'db'>,
  writer: Writer,
): Promise<OwnContribution> {
  const { contribution, organiser, isSurprise, ...draft } = await findOwn(db, writer);
  const arrived = await findArrivedOf(db, contribution);
  if (contribution.capsuleId !== null) return { state: 'sealed', arrived };
  const { revision, name, letter, files } = contribution;
  return {
    state: 'waiting',
    ...{ revision, name, letter, arrived },
    organiser: organiser ?? '',
    // Once the link has ended, nobody knows whether it was a surprise.
    ...toldOf(draft, isSurprise ?? true),
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
    const row = (await findContribution(db, writer.id))?.contribution;
    // One that was removed is added anew, by the link.
    if (row && !row.removedAt) await findWaiting(db, writer);
    else await openLink(db, { clock }, token);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // A repeat after a lost answer has the former secret, and the new one with what it sends.
    return error.code === 'CONTRIBUTION_ELSEWHERE' ? null : error;
  }
}

type NewRevision = Writer &
  ContributionContent & { base: number; token: string; newSecret?: string | undefined };

/**
 * Adds a part, or changes it. A full storage of the organiser refuses letters late: they are small, and
 * nobody who was asked for one should be refused for what they can't see.
 * @throws CONTRIBUTION_LINK_INVALID, CONTRIBUTION_NOT_FOUND, CONTRIBUTION_ELSEWHERE, CONTRIBUTION_CHANGED,
 *   CONTRIBUTION_TOO_LATE, CONTRIBUTIONS_FULL, STORAGE_LIMIT_REACHED, VALIDATION_FAILED
 */
export async function saveContribution(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'limits' | 'mailQueued'>,
  { id, secret, newSecret, token, base, name, letter, files }: NewRevision,
): Promise<{ revision: number }> {
  const { config, db, clock } = deps;
  checkSizes(config, files);
  const known = (await findContribution(db, id))?.contribution;
  // Removed by its organiser, and now sent again, which asks for the link as for the first time.
  const isAgain = (row: ContributionRow | undefined) =>
    row?.removedAt && base === 0 && equal(row.secretHash, hashToken(secret));
  const isKnown = known !== undefined && !isAgain(known);
  // It was taken back or removed meanwhile.
  if (!isKnown && base > 0) throw notFound();
  const { userId } = isKnown
    ? await findTaking(db, { id, secret }, newSecret)
    : await openLink(db, deps, token);
  const isTold = !isKnown && (await deps.limits.tryTake('addedMail', userId)).isWithin;
  const change = { name, letter, files: JSON.stringify(files), updatedAt: clock.now() };
  const checkRoom = (tx: Queryable, moreBytes: number) =>
    sayNoRoom(WORDS_HAVE_NO_ROOM, () =>
      checkRoomForLetters({ config, db: tx }, { userId }, moreBytes),
    );
  const save = async (tx: Queryable) => {
    const found = (await findContribution(tx, id))?.contribution;
    if (found && isAgain(found)) await deleteContribution(tx, found);
    else if (found) {
      const before = await findTaking(tx, { id, secret }, newSecret);
      if (before.userId !== userId) throw notFound();
      // A repeat after a lost answer.
      if (isSame(before, change)) return { revision: before.revision };
      if (base < before.revision) throw new AppError('CONTRIBUTION_CHANGED');
      await checkRoom(tx, bytesOf(change) - bytesOf(before));
      const kept = files.map((file) => file.id);
      await keepUploads(tx, before, kept);
      const secretHash = newSecret && hashToken(newSecret);
      const isNew = secretHash && !equal(secretHash, before.secretHash);
      const secrets = isNew && { secretHash, formerSecretHash: before.secretHash };
      return { revision: await updateContribution(tx, id, { ...change, ...secrets }) };
    }
    if (base > 0) throw notFound();
    const link = await openLink(tx, deps, token);
    const draft = { userId: link.userId, id: link.draftId };
    const { all, added: addedSoFar } = await countContributions(tx, draft);
    // What was removed can come back for a week, and has a bound as well.
    const isFull = addedSoFar >= config.maxContributors || all >= 2 * config.maxContributors;
    if (isFull) throw new AppError('CONTRIBUTIONS_FULL');
    await checkRoom(tx, bytesOf(change));
    const added = await insertContribution(tx, {
      ...{ id, userId: link.userId, draftId: link.draftId, capsuleId: null },
      ...{
        ...change,
        revision: 1,
        secretHash: hashToken(newSecret ?? secret),
        createdAt: change.updatedAt,
      },
      ...{ formerSecretHash: null, removedAt: null },
    });
    if (!added) throw notFound();
    if (isTold) {
      await queueEmails(tx, deps, 'contribution-added', [{ id: link.userId, aboutId: id }]);
    }
    return { revision: 1 };
  };
  const saved = await withPersonLocked(db, { userId }, save, invalid).catch(async (error) => {
    // Nobody was told.
    if (isTold) await deps.limits.giveBack('addedMail', userId, 1);
    throw error;
  });
  if (isTold) deps.mailQueued();
  return saved;
}

/** @throws VALIDATION_FAILED */
function checkSizes({ maxFileMB }: Deps['config'], files: ContributionFile[]): void {
  const tooLarge = files.find(({ bytes }) => bytes > maxFileMB * MEGABYTE);
  if (!tooLarge) return;
  const message = `"${tooLarge.name}" is too large. A file can be at most ${maxFileMB} MB.`;
  throw fieldError('files', message);
}

type Written = Pick<ContributionRow, 'name' | 'letter' | 'files'>;

function isSame(a: Written, b: Written): boolean {
  return a.name === b.name && a.letter === b.letter && a.files === b.files;
}

/** What counts of it for the organiser. */
function bytesOf({ letter, files }: Written): number {
  return Buffer.byteLength(letter) + Buffer.byteLength(files);
}

/** Who adds can't make room, so they are told whom to ask. */
async function sayNoRoom<Result>(message: string, take: () => Promise<Result>): Promise<Result> {
  try {
    return await take();
  } catch (error) {
    const isFull = error instanceof AppError && error.code === 'STORAGE_LIMIT_REACHED';
    throw isFull ? new AppError('STORAGE_LIMIT_REACHED', { message }) : error;
  }
}

const FILE_HAS_NO_ROOM =
  "There's no room for this file at the moment. Your words have arrived. Please tell whoever sent you the link.";
const WORDS_HAVE_NO_ROOM =
  "There's no room for your words at the moment. They're safe on this device. Please tell whoever sent you the link.";

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
  // Nothing gives way to it: that would be something of the organiser's, or of somebody else who adds.
  return sayNoRoom(FILE_HAS_NO_ROOM, () =>
    startUpload(deps, owner, id, { fileName, bytes, draft: draftId }, mayStart),
  );
}
