import { isAborted } from '../api/errors.ts';
import { openedUserId } from '../db/database.ts';
import { isAhead, noteExchange, readExchange } from '../db/due.ts';
import type { DraftRow, ExchangeRow, LastTry } from '../db/tables.ts';
import { asCallError, backoff, decideRetry } from './retry-policy.ts';

/* When drafts and contributions are sent, and what waits after a failure: the same rules for both. */

/** What the server has refused, and what it does not know, is tried again this much later. */
export const REFUSED_MS = 15 * 60_000;
/** While a page is looked at, it asks this often what has become of them elsewhere. */
const ASK_EVERY_MS = 60_000;
/** Merging takes another round; more than this means that other devices write as fast. */
export const ROUNDS = 3;

/**
 * Sends and asks, unless that is to wait after a failure. What fails for another reason than one of its
 * drafts lets all of them wait.
 */
export async function exchangeDue(
  userId: string,
  signal: AbortSignal,
  exchange: (sync: ExchangeRow) => Promise<void>,
): Promise<void> {
  const sync = await readExchange();
  if (isAhead(sync.nextTryAt, Date.now())) return;
  try {
    await exchange(sync);
    if (sync.attempts > 0) await noteExchange({ attempts: 0, nextTryAt: 0 });
  } catch (error) {
    if (signal.aborted || isAborted(error)) return;
    // Its database has been closed; nothing can be noted either.
    if (openedUserId() !== userId) throw error;
    await noteExchange(nextTry(error, sync.attempts + 1));
  }
}

function nextTry(error: unknown, attempts: number): Partial<ExchangeRow> {
  const decision = decideRetry(asCallError(error));
  const pause = decision.kind === 'retry' ? backoff(attempts, decision, Math.random()) : REFUSED_MS;
  return { attempts, nextTryAt: Date.now() + pause };
}

/** The first of these times, but not before the pause after a failure is over; Infinity for none. */
export function firstOf(times: readonly number[], { nextTryAt }: ExchangeRow): number {
  return Math.max(Math.min(...times), isAhead(nextTryAt, Date.now()) ? nextTryAt : 0);
}

/** When the account is to be asked what is new, in milliseconds. */
export function asksAt({ askedAt, asksAnew }: ExchangeRow, every = ASK_EVERY_MS): number {
  return asksAnew ? 0 : askedAt + every;
}

/** What is noted when it has answered. */
export const askedNow = () => ({ askedAt: Date.now(), asksAnew: false });

type Words = LastTry & Pick<DraftRow, 'updatedAt'>;

/** The server has refused the words as they stand. */
export function isRefused({ updatedAt, refusal, refusedAt }: Words): boolean {
  return refusal !== undefined && updatedAt === refusedAt;
}

/** @param pause since they were last sent */
export function dueAfter(last: Words, pause: number): number {
  const { sentAt = 0 } = last;
  // Noted while the device's clock was wrong.
  if (sentAt > Date.now()) return 0;
  return sentAt + (isRefused(last) ? REFUSED_MS : pause);
}
