import {
  type AccountDraft,
  accountDraftSchema,
  discardAccountDraft,
  listDrafts,
  saveAccountDraft,
} from '../../shared/api/drafts.ts';
import { call, identify } from '../api/client.ts';
import { CallError } from '../api/errors.ts';
import { readOrphaned } from '../db/attachments.ts';
import { openedUserId } from '../db/database.ts';
import {
  noteDiscarded,
  noteRefused,
  noteSaved,
  readDiscarded,
  readForAccount,
  receiveDrafts,
  TOGETHER_MS,
  takeForSending,
} from '../db/draft-sync.ts';
import { hasOpenDraft, isAhead, readExchange } from '../db/due.ts';
import { contentOf, isDirty, type StoredDraft } from '../db/receive-draft.ts';
import type { ExchangeRow } from '../db/tables.ts';
import { withLock } from '../db/with-lock.ts';
import { cancelUploads } from './orphaned-uploads.ts';
import type { Turn } from './queue.ts';
import { refusalOf } from './retry-policy.ts';
import { savesData } from './saves-data.ts';
import { askWhetherArrived, nextFile, sendDraftFiles } from './send-draft-files.ts';
import { askedNow, asksAt, dueAfter, exchangeDue, firstOf, isRefused, ROUNDS } from './when-due.ts';

/*
 * Drafts as items of the queue: after the capsules, words before files. What the account cannot be told
 * now waits in the rows of the drafts themselves.
 */

/** A letter goes this often while it is written, and a long one more rarely: an hour of typing sends 2 MB at most. */
const PAUSE_MS = 5_000;
const BYTES_PER_MS = 0.5;
/** Of the heads of a request and its answer. */
const HEAD_BYTES = 1_500;
/** While a draft is open, another device may begin to write in it: half a megabyte an hour. */
const ASK_OPEN_MS = 8_000;
/** While another device writes as well. */
const ASK_TOGETHER_MS = 4_000;
const PAUSE_TOGETHER_MS = 2_000;

/** Who this browser's cookie stands for. Their token is refused when it is somebody else by now. */
let session: { userId: string; xsrf: string } | null = null;

interface Run {
  userId: string;
  xsrf: string;
  signal: AbortSignal;
  isLeaving: boolean;
}

export function syncDrafts(turn: Turn): Promise<void> {
  return exchange(turn, exchangeAll);
}

/** Of files that are in no draft any more; what the server can't be told now waits as drafts do. */
export async function cancelOrphaned(turn: Turn): Promise<void> {
  if (openedUserId() === null || (await readOrphaned()).length === 0) return;
  await exchange(turn, async ({ xsrf, signal }) => {
    await cancelUploads(await readOrphaned(), xsrf, signal);
  });
}

/** What is written here and elsewhere does not wait for the film of a capsule either. */
export function syncWords(turn: Turn): Promise<void> {
  return exchange(turn, async (run) => void (await exchangeWords(run)));
}

async function exchange(
  { signal, isLeaving }: Turn,
  work: (run: Run) => Promise<void>,
): Promise<void> {
  const userId = openedUserId();
  if (userId === null) return;
  await exchangeDue(userId, signal, async () => {
    const person = session?.userId === userId ? session : await signedIn(signal);
    session = null;
    // The cookie is somebody else's by now: they have their own page.
    if (!person) throw new CallError(SOMEBODY_ELSE);
    await work({ ...person, signal, isLeaving: isLeaving() });
    session = person;
  });
}

/** @returns null when the cookie is somebody else's by now */
async function signedIn(signal: AbortSignal) {
  const { user, xsrf } = await identify(signal);
  return user.id === openedUserId() ? { userId: user.id, xsrf } : null;
}

/**
 * When there is something to do for drafts, in milliseconds; Infinity for nothing that can be done
 * without the person.
 */
export async function nextDraftSync(isLeaving: boolean): Promise<number> {
  const now = Date.now();
  const sync = await readExchange();
  const times: number[] = [];
  for (const stored of await readForAccount()) {
    // A worker is not woken for what the account has refused.
    const waits = isLeaving && isRefused(lastTry(stored));
    if (isDirty(stored) && !waits) times.push(dueAt(stored, isLeaving, sync));
    if (nextFile(stored)) times.push(now);
  }
  const isToBeTold = (await readDiscarded()).length + (await readOrphaned()).length > 0;
  if (isToBeTold) times.push(now);
  if (!isLeaving) times.push(nextAsk(sync));
  return firstOf(times, sync);
}

/** Another device writes at the same time, or has just written. */
function isTogether({ heardAt = 0 }: ExchangeRow): boolean {
  return Math.abs(Date.now() - heardAt) < TOGETHER_MS;
}

function nextAsk(sync: ExchangeRow): number {
  if (isTogether(sync)) return asksAt(sync, ASK_TOGETHER_MS);
  return asksAt(sync, hasOpenDraft() && !savesData() ? ASK_OPEN_MS : undefined);
}

const lastTry = ({ draft }: StoredDraft) => ({ updatedAt: draft.updatedAt, ...draft.account });

function dueAt(stored: StoredDraft, isLeaving: boolean, sync: ExchangeRow): number {
  if (isLeaving) return dueAfter(lastTry(stored), 0);
  const json = JSON.stringify(contentOf(stored.draft, stored.files));
  const bytes = new TextEncoder().encode(json).length + HEAD_BYTES;
  const pause = isTogether(sync) ? PAUSE_TOGETHER_MS : PAUSE_MS;
  return dueAfter(lastTry(stored), Math.max(pause, bytes / BYTES_PER_MS));
}

async function exchangeAll(run: Run): Promise<void> {
  const isAsked = await exchangeWords(run);
  for (const { id, discarded } of await readDiscarded()) {
    await discard(id, discarded?.revision ?? 0, run);
  }
  // What is written meanwhile, here and elsewhere, does not wait for a film.
  await sendDraftFiles(run, () => exchangeWords(run));
  if (isAsked) await askWhetherArrived(run);
}

/** @returns whether the account was asked */
async function exchangeWords(run: Run): Promise<boolean> {
  const sync = await readExchange();
  const isAsked = !isAhead(nextAsk(sync), Date.now());
  if (isAsked) await ask(run);
  await sendWords(run);
  return isAsked;
}

/** What other devices have written, sealed or discarded. */
async function ask({ userId, xsrf, signal }: Run): Promise<void> {
  for (;;) {
    const { since } = await readExchange();
    const answer = await call(listDrafts, { query: { since }, xsrf, signal });
    const { drafts, more, onlyOnDevice } = answer;
    // The cookie may be another person's by now.
    if (answer.userId !== userId) throw new CallError(SOMEBODY_ELSE);
    const last = drafts.at(-1)?.revision ?? since;
    const heard = { since: last, onlyOnDevice, ...(!more && askedNow()) };
    await receiveDrafts(userId, drafts, heard, since);
    if (!more || signal.aborted) return;
  }
}

const SOMEBODY_ELSE = {
  code: 'UNEXPECTED_ANSWER',
  message: 'Another person has signed in.',
  status: 401,
} as const;

async function sendWords(run: Run): Promise<void> {
  const sync = await readExchange();
  for (const stored of await readForAccount()) {
    const isDue = dueAt(stored, run.isLeaving, sync) <= Date.now();
    if (isDirty(stored) && isDue && !run.signal.aborted) await save(stored.draft.id, run);
  }
}

/** Held while words are on their way: an answer is noted with what was sent last. */
const WORDS_LOCK = 'time-capsule-words';

function save(id: string, run: Run): Promise<void> {
  return withLock(WORDS_LOCK, { signal: run.signal }, () => saveInTurn(id, run));
}

/** Saves the words of one draft now, whatever else is on its way. @throws {CallError} */
export async function saveWords(id: string, signal: AbortSignal): Promise<void> {
  const person = await signedIn(signal);
  if (person) await save(id, { ...person, signal, isLeaving: true });
}

async function saveInTurn(id: string, { userId, xsrf, signal }: Run): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const body = await takeForSending(id, Date.now());
    if (!body) return;
    try {
      // Servers of before know no content without other versions.
      const sent = { ...body, content: { ...body.content, otherVersions: [] } };
      const options = { params: { id }, body: sent, xsrf, signal };
      await noteSaved(id, await call(saveAccountDraft, options));
    } catch (error) {
      const there = draftIn(error);
      const refusal = refusalOf(error);
      if (there) await receiveDrafts(userId, [there]);
      else if (refusal !== null) return noteRefused(id, refusal);
      else throw error;
    }
  }
}

/** The draft as the account has it, where what was sent does not fit that. */
function draftIn(error: unknown): AccountDraft | null {
  if (!(error instanceof CallError) || error.code !== 'DRAFT_CHANGED') return null;
  return accountDraftSchema.safeParse(error.draft).data ?? null;
}

async function discard(id: string, base: number, { xsrf, signal }: Run): Promise<void> {
  try {
    await call(discardAccountDraft, { params: { id }, query: { base }, xsrf, signal });
    await noteDiscarded(id, null);
  } catch (error) {
    const there = draftIn(error);
    if (!there) throw error;
    await noteDiscarded(id, there);
  }
}
