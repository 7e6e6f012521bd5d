import { CallError } from '../http/call-error.ts';
import type { OutboxFailure } from '../local/db.ts';
import { PAUSE_MAX_MS } from '../local/outbox.ts';

/** What a failed send means for its item. */
export type Outcome =
  /**
   * Try again later; `after` in milliseconds when the server named a time, `longest` where what
   * it waits for is over soon however often the line has failed before.
   */
  | { kind: 'retry'; after: number | null; longest?: number }
  | { kind: 'needs-sign-in' }
  | { kind: 'needs-fix' }
  | { kind: 'storage-full' };

const BACKOFF_MS = 5_000;
const BACKOFF_MAX_MS = 15 * 60_000;
/** An earlier request of ours holds the key: it ends, or its hold does within a minute. */
const HELD_MAX_MS = 15_000;

/** Codes of a 4xx that a later try may turn out differently. */
const PASSING_CODES = new Set([
  'UPLOAD_OFFSET_WRONG',
  'UPLOAD_INCOMPLETE',
  'UPLOAD_NOT_FOUND',
  'UPLOAD_PART_CORRUPT',
  'MALFORMED_MULTIPART',
  'MALFORMED_BODY',
  'XSRF_INVALID',
  'REQUEST_ABORTED',
]);

/**
 * Sorts a failure. Whatever may pass is tried again, without end; what cannot pass waits for
 * the person, with the reason. Nothing is ever given up by itself.
 */
export function outcomeOf({ status, code, retryAfter, fromServer }: CallError): Outcome {
  const after = retryAfter === undefined ? null : retryAfter * 1_000;
  // None of ours: a hotel's sign-in page, a proxy whose server is being renewed.
  if (code === 'UNEXPECTED_ANSWER' && !fromServer) return { kind: 'retry', after };
  if (status === 401) return { kind: 'needs-sign-in' };
  if (code === 'STORAGE_LIMIT_REACHED') return { kind: 'storage-full' };
  if (code === 'IDEMPOTENCY_KEY_IN_PROGRESS') return { kind: 'retry', after, longest: HELD_MAX_MS };
  // No answer, or a server in trouble.
  const passing = status < 400 || status >= 500 || [408, 425, 429].includes(status);
  if (passing || PASSING_CODES.has(code)) return { kind: 'retry', after };
  return { kind: 'needs-fix' };
}

/** Statuses that a server, or what stands before it, gives without having looked at the key. */
const UNDECIDED = new Set([401, 403, 408, 409, 425, 429]);

/**
 * What an answer to a creation says about whether its key has made a capsule: `decided`, it has
 * made none that the person does not know of; `unheard`, something on the way refused it, so all
 * is as it was before; `open`, only the server knows.
 */
export function arrivalOf({ status, code }: CallError): 'decided' | 'unheard' | 'open' {
  if (status < 400 || status >= 500 || UNDECIDED.has(status)) return 'open';
  return code === 'UNEXPECTED_ANSWER' ? 'unheard' : 'decided';
}

/**
 * How long to wait before the next try, in milliseconds: doubling from 5 s to 15 minutes,
 * anywhere below that so that a crowd does not come back as one.
 * @param attempts tries that have failed, this one included
 * @param random from 0 up to 1
 */
export function backoff(
  attempts: number,
  { after, longest = BACKOFF_MAX_MS }: { after: number | null; longest?: number },
  random: number,
): number {
  const most = Math.min(longest, BACKOFF_MS * 2 ** Math.min(attempts - 1, 16));
  return Math.max(Math.min(after ?? 0, PAUSE_MAX_MS), Math.round(most * random));
}

export function failureOf({ status, code, message, errors, fromServer }: CallError): OutboxFailure {
  const isForeign = status > 0 && code === 'UNEXPECTED_ANSWER' && !fromServer;
  return {
    code,
    message: isForeign ? 'Something on the way answered for the server.' : message,
    errors,
  };
}

export function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  // Nobody could be asked, and why is not known.
  const message = error instanceof Error ? error.message : String(error);
  return new CallError({ code: 'UNEXPECTED_ANSWER', message, status: 0 });
}
