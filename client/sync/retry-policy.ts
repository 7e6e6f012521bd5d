import { CallError } from '../api/errors.ts';
import { PAUSE_MAX_MS } from '../db/due.ts';
import type { OutboxFailure } from '../db/tables.ts';

/** What a failed send means for its outbox item. */
export type RetryDecision =
  /**
   * `after`: milliseconds from Retry-After. `longest`: an upper bound for the backoff, where the
   * reason is over soon however often the connection has failed before.
   */
  | { kind: 'retry'; after: number | null; longest?: number }
  | { kind: 'needs-sign-in' }
  | { kind: 'needs-fix' }
  | { kind: 'storage-full' };

const BACKOFF_MS = 5_000;
const BACKOFF_MAX_MS = 15 * 60_000;
/** An earlier request of ours holds the key: it ends, or its lease does within a minute. */
const KEY_HELD_MAX_MS = 15_000;

/** While the server cannot be reached, it is asked at least this often. */
const UNREACHABLE_MAX_MS = 30_000;

/** Codes of a 4xx that a later try may turn out differently. */
const TEMPORARY_CODES = new Set([
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
 * Whatever may pass is tried again, without end; what cannot pass waits for the person, with the
 * reason. Nothing is ever dropped.
 */
export function decideRetry({ status, code, retryAfter, fromServer }: CallError): RetryDecision {
  const after = retryAfter === undefined ? null : retryAfter * 1_000;
  // Not our server: a hotel's sign-in page, or a proxy whose server is restarting.
  if (code === 'UNEXPECTED_ANSWER' && !fromServer) return { kind: 'retry', after };
  if (status === 401) return { kind: 'needs-sign-in' };
  if (code === 'STORAGE_LIMIT_REACHED') return { kind: 'storage-full' };
  if (code === 'IDEMPOTENCY_KEY_IN_PROGRESS') {
    return { kind: 'retry', after, longest: KEY_HELD_MAX_MS };
  }
  // Nobody answered. No event tells that the server is back, so the waits stay short.
  if (status === 0) return { kind: 'retry', after, longest: UNREACHABLE_MAX_MS };
  // A server in trouble.
  const isTemporary = status < 400 || status >= 500 || [408, 425, 429].includes(status);
  if (isTemporary || TEMPORARY_CODES.has(code)) return { kind: 'retry', after };
  return { kind: 'needs-fix' };
}

/**
 * Why our server has refused just this, in a sentence. Null where the reason is the connection, the session,
 * or a server that doesn't know the call: those from before 1.0.0 say 405 where they know its address.
 */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof CallError) || error.code === 'NOT_FOUND' || error.status === 405)
    return null;
  const { kind } = decideRetry(error);
  if (kind === 'retry' || kind === 'needs-sign-in') return null;
  return Object.values(error.errors)[0] ?? error.message;
}

/** Statuses that a server, or a proxy before it, sends without having looked at the key. */
const KEY_NOT_LOOKED_AT = new Set([401, 403, 408, 409, 425, 429]);

/**
 * What a failed creation says about its key. `rejected`: our server refused, no capsule exists.
 * `not-delivered`: a proxy refused, or our server takes nothing now, and nothing has changed.
 * `unknown`: the capsule may exist, and only the server can tell.
 */
export function deliveryOf({ status, code }: CallError): 'rejected' | 'not-delivered' | 'unknown' {
  if (code === 'MAINTENANCE' || code === 'RATE_LIMITED') return 'not-delivered';
  if (status < 400 || status >= 500 || KEY_NOT_LOOKED_AT.has(status)) return 'unknown';
  return code === 'UNEXPECTED_ANSWER' ? 'not-delivered' : 'rejected';
}

/**
 * Milliseconds to wait before the next try: doubling from 5 s to 15 minutes with full jitter, so
 * that a crowd does not come back as one.
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

const BROKEN_CONNECTION = ['NETWORK_ERROR', 'REQUEST_TIMEOUT', 'UNEXPECTED_ANSWER'];

/** Whether the last send was cut off (no failure noted), or failed between here and the server. */
export function wasConnectionBroken(failure: OutboxFailure | null): boolean {
  return failure === null || BROKEN_CONNECTION.includes(failure.code);
}

export function failureOf({ status, code, message, errors, fromServer }: CallError): OutboxFailure {
  const isForeign = status > 0 && code === 'UNEXPECTED_ANSWER' && !fromServer;
  return {
    code,
    message: isForeign
      ? 'A network in between blocked the connection (a hotel or café sign-in page?).'
      : message,
    errors,
  };
}

export function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new CallError({ code: 'UNEXPECTED_ANSWER', message, status: 0 });
}
