import {
  getContribution,
  getContributionUpload,
  saveContribution,
  sendContributionPart,
  startContributionUpload,
  takeBackContribution,
} from '../../shared/api/contributions.ts';
import { CONTRIBUTION_SECRET_HEADER, CONTRIBUTION_TOKEN_HEADER } from '../../shared/limits.ts';
import { call } from '../api/client.ts';
import { CallError, isAborted, isAnswerOf } from '../api/errors.ts';
import {
  forgetOrphaned,
  loseAttachment,
  nextToUpload,
  noteFileRefused,
  readOrphaned,
} from '../db/attachments.ts';
import { AttachmentError } from '../db/chunks.ts';
import {
  adoptContribution,
  CONTRIBUTORS,
  type Contribution,
  isUnsent,
  noteOutcome,
  noteRefused,
  noteSaved,
  noteTakenBack,
  readContribution,
  readContributions,
  receiveContribution,
  takeNewSecret,
  takeToSend,
  toSend,
} from '../db/contributions.ts';
import { openedUserId } from '../db/database.ts';
import { isAhead, noteExchange, readExchange } from '../db/due.ts';
import type { Attachment, ContributionRow } from '../db/tables.ts';
import { ADDING, isPauseWanted } from './locks.ts';
import { maySend, type Queue, type Turn } from './queue.ts';
import { refusalOf } from './retry-policy.ts';
import { type UploadCalls, uploadFile } from './upload-file.ts';
import {
  askedNow,
  asksAt,
  dueAfter,
  exchangeDue,
  firstOf,
  isRefused,
  REFUSED_MS,
  ROUNDS,
} from './when-due.ts';

/*
 * What is added without an account, sent as drafts are: words before files, by one page or worker at a
 * time. The token and the secret go in headers, and in no address.
 */

/** What is changed in a contribution that was given goes this much later. */
const PAUSE_MS = 4_000;

/** The contributions of this browser. */
export const contributionQueue: Queue = { name: ADDING, send: exchange, next: nextRun };

async function exchange({ isLeaving, signal }: Turn): Promise<void> {
  if (openedUserId() !== CONTRIBUTORS || !(await maySend())) return;
  await exchangeDue(CONTRIBUTORS, signal, async (sync) => {
    if (!isAhead(asksAt(sync), Date.now())) {
      for (const { row } of await readContributions()) if (isKnown(row)) await ask(row, signal);
      await noteExchange(askedNow());
    }
    for (const { row } of await readContributions()) await send(row.id, { isLeaving, signal });
  });
}

/** Something can still become of what the server has, or may have, of it. */
function isKnown({ state, known, sent }: ContributionRow): boolean {
  // Who asks can put back what they have removed.
  return ['given', 'gone'].includes(state) && Boolean(known || sent);
}

/**
 * Goes on here with what a personal link leads to. One that is not the newest changes nothing: it would take
 * the part from who has gone on here. @throws {CallError} where nothing of it is here
 */
export async function openPersonalLink(id: string, secret: string): Promise<void> {
  const here = (await readContribution(id))?.row;
  if (here?.secret === secret) return;
  try {
    await adoptContribution(id, secret, await call(getContribution, about({ id, secret })));
  } catch (error) {
    if (!here || !(error instanceof CallError)) throw error;
  }
}

/** When something is to be done, in milliseconds; Infinity for nothing that can be done without the person. */
async function nextRun(isLeaving: boolean): Promise<number> {
  if (openedUserId() !== CONTRIBUTORS) return Infinity;
  const sync = await readExchange();
  const times: number[] = [];
  for (const one of await readContributions()) {
    if (one.row.state === 'taken-back') times.push(Date.now());
    // A worker is not woken for what the server has refused.
    if (isComplete(one) && !(isLeaving && isRefused(one.row))) times.push(dueAt(one, isLeaving));
    if (nextFile(one)) times.push(Date.now());
    if (!isLeaving && isKnown(one.row)) times.push(asksAt(sync));
  }
  return firstOf(times, sync);
}

/** Its words are to be sent, and can be sent as they stand. */
function isComplete(one: Contribution): boolean {
  const { state, sent } = one.row;
  return state === 'given' && isUnsent(one) && (sent !== undefined || toSend(one) !== null);
}

function dueAt({ row }: Contribution, isLeaving: boolean): number {
  return dueAfter(row, isLeaving ? 0 : PAUSE_MS);
}

/** One that was refused waits, and holds up nothing else. */
function nextFile({ row, files }: Contribution): Attachment | undefined {
  if (row.state !== 'given') return undefined;
  return nextToUpload(files, row.known?.files, Date.now() - REFUSED_MS);
}

/** What each call about a contribution takes. */
const about = ({ id, secret }: Pick<ContributionRow, 'id' | 'secret'>) => ({
  params: { id },
  headers: { [CONTRIBUTION_SECRET_HEADER]: secret },
  endsWhenStalled: true,
});

/** Words first, and again while files are on their way. @throws {CallError} what may pass */
async function send(id: string, { isLeaving, signal }: Turn): Promise<void> {
  for (;;) {
    const one = await readContribution(id);
    if (!one || signal.aborted) return;
    if (one.row.state === 'taken-back') return takeBack(one.row, signal);
    const isDue = dueAt(one, isLeaving() || one.row.known === undefined) <= Date.now();
    const file = nextFile(one);
    if (isComplete(one) && isDue) await save(id, signal);
    else if (file) await sendFile(one.row, file, { isLeaving, signal });
    else return;
  }
}

async function save(id: string, signal: AbortSignal): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const row = await takeToSend(id);
    if (!row?.sent) return;
    try {
      const { headers, ...options } = about(row);
      const { revision } = await call(saveContribution, {
        ...{ ...options, signal, headers: { ...headers, [CONTRIBUTION_TOKEN_HEADER]: row.token } },
        body: { ...row.sent, base: row.known?.revision ?? 0, newSecret: row.newSecret },
      });
      await noteSaved(id, revision);
      // The server has let go of files that it is not told of any more.
      for (const orphan of await readOrphaned()) await forgetOrphaned(orphan.id);
    } catch (error) {
      if (!isAnswerOf(error, 'CONTRIBUTION_CHANGED'))
        return settle(row, error, signal, (refusal) => noteRefused(id, refusal));
      await ask(row, signal);
    }
  }
}

/** @param refuse notes why the server has not taken it @throws the error when it may pass by itself */
async function settle(
  row: ContributionRow,
  error: unknown,
  signal: AbortSignal,
  refuse: (refusal: string) => Promise<void>,
): Promise<void> {
  const { id } = row;
  if (isAnswerOf(error, 'CONTRIBUTION_NOT_FOUND')) return noteOutcome(id, 'gone');
  if (isAnswerOf(error, 'CONTRIBUTION_ELSEWHERE')) return elsewhere(row, signal);
  // An earlier version of it may be in, though no answer came.
  if (isAnswerOf(error, 'CONTRIBUTION_TOO_LATE')) return ask(row, signal, 'late');
  // Once it is in, its writer needs no link: only who asked may be suspended for a while.
  const isEnded = isAnswerOf(error, 'CONTRIBUTION_LINK_INVALID') && !row.known;
  if (isEnded) return noteOutcome(id, 'ended');
  const refusal = refusalOf(error);
  if (refusal === null) throw error;
  await refuse(refusal);
}

/** @param unknown what it means that the server does not have it */
async function ask(
  row: ContributionRow,
  signal: AbortSignal,
  unknown: 'late' | 'gone' | 'elsewhere' = 'gone',
): Promise<void> {
  const { id } = row;
  try {
    await receiveContribution(id, await call(getContribution, { ...about(row), signal }));
  } catch (error) {
    if (isAnswerOf(error, 'CONTRIBUTION_ELSEWHERE')) return elsewhere(row, signal);
    if (!isAnswerOf(error, 'CONTRIBUTION_NOT_FOUND')) throw error;
    // What was never answered may not have arrived yet.
    if (unknown !== 'gone' || row.known) await noteOutcome(id, unknown);
  }
}

/** Another device has gone on with it, or this one, by a save whose answer was lost. */
async function elsewhere({ id, secret }: ContributionRow, signal: AbortSignal): Promise<void> {
  await takeNewSecret(id);
  const row = (await readContribution(id))?.row;
  if (!row || row.secret === secret) return noteOutcome(id, 'elsewhere');
  return row.state === 'taken-back' ? takeBack(row, signal) : ask(row, signal, 'elsewhere');
}

async function takeBack(row: ContributionRow, signal: AbortSignal): Promise<void> {
  try {
    await call(takeBackContribution, { ...about(row), signal });
  } catch (error) {
    if (isAnswerOf(error, 'CONTRIBUTION_TOO_LATE')) return ask(row, signal, 'late');
    // What this device has not heard of yet is its own new secret.
    if (isAnswerOf(error, 'CONTRIBUTION_ELSEWHERE')) return elsewhere(row, signal);
    if (!isAnswerOf(error, 'CONTRIBUTION_NOT_FOUND')) throw error;
  }
  await noteTakenBack(row.id);
}

async function sendFile(
  row: ContributionRow,
  file: Attachment,
  { isLeaving, signal }: Turn,
): Promise<void> {
  const { id } = row;
  try {
    await uploadFile(file, {
      ...{ calls: uploadOf(row, file), signal },
      // What is typed meanwhile does not wait for a film.
      mayGoOn: async () => {
        const now = await readContribution(id);
        if (now?.row.state !== 'given') return false;
        if (isComplete(now) && dueAt(now, isLeaving()) <= Date.now()) await save(id, signal);
        return (await readContribution(id))?.files.some((other) => other.id === file.id) ?? false;
      },
    });
  } catch (error) {
    if (error instanceof AttachmentError) return loseAttachment(file.id);
    // The pause of the person, not of the connection: what is left is looked at again.
    if (isAborted(error) && !signal.aborted && !(await isPauseWanted())) return;
    await settle(row, error, signal, (refusal) => noteFileRefused(file.id, refusal));
  }
}

function uploadOf(row: ContributionRow, file: Attachment): UploadCalls {
  const { headers, ...options } = about(row);
  const fixed = { ...options, params: { id: row.id, uploadId: file.id } };
  return {
    start: (body, { signal }) => call(startContributionUpload, { ...fixed, headers, signal, body }),
    get: ({ signal }) => call(getContributionUpload, { ...fixed, headers, signal }),
    send: (part) =>
      call(sendContributionPart, { ...part, ...fixed, headers: { ...part.headers, ...headers } }),
  };
}
