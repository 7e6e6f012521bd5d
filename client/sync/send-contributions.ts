import {
  contributionSchema,
  getContribution,
  getContributionUpload,
  saveContribution,
  sendContributionPart,
  startContributionUpload,
  takeBackContribution,
} from '../../shared/api/contributions.ts';
import { CONTRIBUTION_SECRET_HEADER, CONTRIBUTION_TOKEN_HEADER } from '../../shared/limits.ts';
import { call } from '../api/client.ts';
import { isAborted, isAnswerOf } from '../api/errors.ts';
import { forgetOrphaned, loseAttachment, readOrphaned } from '../db/attachments.ts';
import { AttachmentError } from '../db/chunks.ts';
import {
  CONTRIBUTORS,
  type Contribution,
  clearRefusal,
  contentNow,
  contributionOf,
  noteOutcome,
  noteTakenBack,
  readContribution,
  readContributions,
  receiveContribution,
  takeNewSecret,
} from '../db/contributions.ts';
import { openedUserId } from '../db/database.ts';
import { noteRefused, noteSaved, takeForSending } from '../db/draft-sync.ts';
import { askAnew, isAhead, noteDraftSync, readDraftSync } from '../db/due.ts';
import { isDirty } from '../db/receive-draft.ts';
import type { Attachment } from '../db/tables.ts';
import { nextToUpload, noteArrived } from '../db/uploads.ts';
import { ADDING_LOCK, ADDING_TAG, isPauseWanted, maySend, sendInTurn, type Turn } from './locks.ts';
import { refusalOf } from './retry-policy.ts';
import type { Queue, RunOptions } from './send-now.ts';
import { type UploadCalls, uploadFile } from './upload-file.ts';
import { askedNow, asksAt, dueAfter, exchangeDue, firstOf, isRefused, ROUNDS } from './when-due.ts';

/*
 * What is added without an account, sent as drafts are: words before files, by one page or worker at a
 * time. The token and the secret go in headers, and in no address.
 */

/** What is changed in a contribution that was given goes this much later. */
const PAUSE_MS = 4_000;

interface SendOptions extends Turn {
  isLeaving?: () => boolean;
}

/**
 * Sends what is due of the contributions of this browser.
 * @returns when to run again, in milliseconds; null when nothing waits for its time
 */
export async function sendContributions(options: SendOptions = {}): Promise<number | null> {
  const { isLeaving = () => true } = options;
  return sendInTurn(ADDING_LOCK, options, {
    send: (signal) => exchange(isLeaving, signal),
    next: () => nextRun(isLeaving()),
  });
}

export const contributionQueue: Queue = {
  tag: ADDING_TAG,
  run: sendContributions,
  isWaiting: async () => (await nextRun(true)) !== Infinity,
  onOnline: askAnew,
  onVisible: askAnew,
  giveWay: () => undefined,
};

async function exchange(isLeaving: () => boolean, signal: AbortSignal): Promise<void> {
  if (openedUserId() !== CONTRIBUTORS || !(await maySend())) return;
  await exchangeDue(CONTRIBUTORS, signal, async (sync) => {
    if (!isAhead(asksAt(sync), Date.now())) {
      for (const one of await readContributions()) if (isKnown(one)) await ask(one, signal);
      await noteDraftSync(askedNow());
    }
    for (const { draft } of await readContributions()) await send(draft.id, isLeaving, signal);
  });
}

/** Something can still become of what the server has, or may have, of it. */
function isKnown({ draft: { account, adding } }: Contribution): boolean {
  return account !== undefined && adding.outcome === undefined;
}

/** When something is to be done, in milliseconds; Infinity for nothing that can be done without the person. */
async function nextRun(isLeaving: boolean): Promise<number> {
  if (openedUserId() !== CONTRIBUTORS) return Infinity;
  const sync = await readDraftSync();
  const times: number[] = [];
  for (const one of await readContributions()) {
    if (one.draft.adding.isTakenBack) times.push(Date.now());
    // A worker is not woken for what the server has refused.
    const isLeft = !(isLeaving && isRefused(one));
    if (isLeft && isComplete(one)) times.push(dueAt(one, isLeaving));
    else if (isLeft && nextFile(one)) times.push(dueAt(one, true));
    if (!isLeaving && isKnown(one)) times.push(asksAt(sync));
  }
  return firstOf(times, sync);
}

/** Something of it is not sent, and it can be sent as it stands. */
function isComplete(one: Contribution): boolean {
  if (!isDirty(one)) return false;
  return (
    Boolean(one.draft.account?.unanswered) || contributionSchema.safeParse(contentNow(one)).success
  );
}

function dueAt(one: Contribution, isLeaving: boolean): number {
  return dueAfter(one, isLeaving ? 0 : PAUSE_MS);
}

function nextFile(one: Contribution): Attachment | undefined {
  return one.draft.onlyHere ? undefined : nextToUpload(one.files, one.draft.account?.content.files);
}

const secretOf = ({ draft: { adding } }: Contribution) => ({
  [CONTRIBUTION_SECRET_HEADER]: adding.secret,
});

/** Words first, and again while files are on their way. @throws {CallError} what may pass */
async function send(id: string, isLeaving: () => boolean, signal: AbortSignal): Promise<void> {
  for (;;) {
    const one = await readContribution(id);
    if (!one || signal.aborted) return;
    if (one.draft.adding.isTakenBack) return takeBack(one, signal);
    const isDue = (leaving: boolean) => dueAt(one, leaving) <= Date.now();
    const file = nextFile(one);
    if (isComplete(one) && isDue(isLeaving() || one.draft.account === undefined)) {
      await save(id, signal);
    } else if (file && isDue(true)) await sendFile(one, file, { isLeaving, signal });
    else return;
  }
}

async function save(id: string, signal: AbortSignal): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = await readContribution(id);
    const taken = await takeForSending(id, Date.now());
    if (!one || !taken) return;
    const { token, newSecret } = one.draft.adding;
    try {
      const { revision } = await call(saveContribution, {
        params: { id },
        headers: { ...secretOf(one), [CONTRIBUTION_TOKEN_HEADER]: token },
        body: { ...contributionOf(taken.content), base: taken.base, newSecret },
        endsWhenStalled: true,
        signal,
      });
      await takeNewSecret(id);
      await noteSaved(id, { revision, previous: revision });
      // The server has let go of files that it is not told of any more.
      for (const orphan of await readOrphaned()) await forgetOrphaned(orphan.id);
    } catch (error) {
      if (!isAnswerOf(error, 'CONTRIBUTION_CHANGED')) return settle(one, error, signal);
      await ask(one, signal);
    }
  }
}

/** @throws the error when it may pass by itself */
async function settle(one: Contribution, error: unknown, signal: AbortSignal): Promise<void> {
  const { id } = one.draft;
  if (isAnswerOf(error, 'CONTRIBUTION_NOT_FOUND')) return noteOutcome(id, 'gone');
  if (isAnswerOf(error, 'CONTRIBUTION_ELSEWHERE')) return elsewhere(one, signal);
  // An earlier version of it may be in, though no answer came.
  if (isAnswerOf(error, 'CONTRIBUTION_TOO_LATE')) return ask(one, signal, 'late');
  // Once it is in, its writer needs no link: only who asked may be suspended for a while.
  const isEnded = isAnswerOf(error, 'CONTRIBUTION_LINK_INVALID') && !one.draft.account?.revision;
  if (isEnded) return noteOutcome(id, 'ended');
  const refusal = refusalOf(error);
  if (refusal === null) throw error;
  await noteRefused(id, refusal);
}

/** @param unknown what it means that the server does not have it */
async function ask(
  one: Contribution,
  signal: AbortSignal,
  unknown: 'late' | 'gone' = 'gone',
): Promise<void> {
  const { id, account } = one.draft;
  try {
    const headers = secretOf(one);
    const own = await call(getContribution, {
      ...{ params: { id }, headers, signal },
      endsWhenStalled: true,
    });
    await receiveContribution(id, own);
  } catch (error) {
    if (isAnswerOf(error, 'CONTRIBUTION_ELSEWHERE')) return elsewhere(one, signal);
    if (!isAnswerOf(error, 'CONTRIBUTION_NOT_FOUND')) throw error;
    // What was never answered may not have arrived yet.
    if (unknown === 'late' || account?.revision) await noteOutcome(id, unknown);
  }
}

/** Another device has gone on with it, or this one, by a save whose answer was lost. */
async function elsewhere(one: Contribution, signal: AbortSignal): Promise<void> {
  const { id, adding } = one.draft;
  if (adding.newSecret === undefined) return noteOutcome(id, 'elsewhere');
  await takeNewSecret(id);
  const again = await readContribution(id);
  if (!again) return;
  return again.draft.adding.isTakenBack ? takeBack(again, signal) : ask(again, signal);
}

async function takeBack(one: Contribution, signal: AbortSignal): Promise<void> {
  const { id } = one.draft;
  const options = { params: { id }, headers: secretOf(one), signal, endsWhenStalled: true };
  try {
    await call(takeBackContribution, options);
  } catch (error) {
    if (isAnswerOf(error, 'CONTRIBUTION_TOO_LATE')) return ask(one, signal, 'late');
    // What this device has not heard of yet is its own new secret.
    if (isAnswerOf(error, 'CONTRIBUTION_ELSEWHERE')) return elsewhere(one, signal);
    if (!isAnswerOf(error, 'CONTRIBUTION_NOT_FOUND')) throw error;
  }
  await noteTakenBack(id);
}

async function sendFile(
  one: Contribution,
  file: Attachment,
  { isLeaving, signal }: RunOptions,
): Promise<void> {
  const { id } = one.draft;
  const { attempts } = await readDraftSync();
  try {
    await uploadFile(file, {
      ...{ calls: uploadOf(one, file), signal, isBroken: attempts > 0 },
      // What is typed meanwhile does not wait for a film.
      mayGoOn: async () => {
        const now = await readContribution(id);
        if (!now || now.draft.onlyHere) return false;
        if (isComplete(now) && dueAt(now, isLeaving()) <= Date.now()) await save(id, signal);
        return (await readContribution(id))?.files.some((other) => other.id === file.id) ?? false;
      },
    });
    await noteArrived(file.id);
    const after = await readContribution(id);
    if (after && !nextFile(after)) await clearRefusal(id);
  } catch (error) {
    if (error instanceof AttachmentError && error.cause === undefined) {
      return loseAttachment(file.id);
    }
    // The pause of the person, not of the connection: what is left is looked at again.
    if (isAborted(error) && !signal.aborted && !(await isPauseWanted())) return;
    const isFull = isAnswerOf(error, 'STORAGE_LIMIT_REACHED');
    const refusal = isFull ? null : refusalOf(error);
    const isOutcome =
      isAnswerOf(error, 'CONTRIBUTION_NOT_FOUND') ||
      isAnswerOf(error, 'CONTRIBUTION_ELSEWHERE') ||
      isAnswerOf(error, 'CONTRIBUTION_TOO_LATE');
    if (refusal === null || isOutcome) return settle(one, error, signal);
    await noteRefused(id, `“${file.name}”: ${refusal}`);
  }
}

function uploadOf(one: Contribution, file: Attachment): UploadCalls {
  const fixed = { params: { id: one.draft.id, uploadId: file.id }, endsWhenStalled: true };
  const withSecret = (headers = {}) => ({ ...headers, ...secretOf(one) });
  return {
    start: ({ fileName, bytes }, { signal }) =>
      call(startContributionUpload, {
        ...{ ...fixed, signal, headers: withSecret() },
        body: { fileName, bytes },
      }),
    get: ({ signal }) => call(getContributionUpload, { ...fixed, signal, headers: withSecret() }),
    send: ({ headers, ...options }) =>
      call(sendContributionPart, { ...options, ...fixed, headers: withSecret(headers) }),
  };
}
