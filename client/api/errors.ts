import { z } from 'zod/mini';
import { ERROR_CODES, type ErrorCode, errorBodySchema } from '../../shared/error-body.ts';

const anyErrorBody = z.extend(errorBodySchema, { code: z.string() });

/** A code of the server, or of what went wrong before the server could answer. */
export type CallErrorCode = ErrorCode | 'NETWORK_ERROR' | 'REQUEST_ABORTED' | 'UNEXPECTED_ANSWER';

interface CallErrorDetails {
  message: string;
  code: CallErrorCode;
  /** HTTP status; 0 when no answer came. */
  status?: number;
  errors?: Record<string, string>;
  email?: string | undefined;
  draft?: unknown;
  retryAfter?: number | undefined;
  fromServer?: boolean;
}

/** A call that did not succeed, in words a person can read. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: CallErrorCode;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** One sentence for each field that was refused. */
  readonly errors: Record<string, string>;
  /** Only with EMAIL_NOT_VERIFIED. */
  readonly email: string | undefined;
  /** Only with DRAFT_CHANGED. */
  readonly draft: unknown;
  /** Seconds to wait, when the server named them. */
  readonly retryAfter: number | undefined;
  /** Whether the message is the server's own sentence. */
  readonly fromServer: boolean;

  constructor(details: CallErrorDetails) {
    super(details.message);
    this.code = details.code;
    this.status = details.status ?? 0;
    this.errors = details.errors ?? {};
    this.email = details.email;
    this.draft = details.draft;
    this.retryAfter = details.retryAfter;
    this.fromServer = details.fromServer ?? false;
  }
}

export function networkError(): CallError {
  return new CallError({ message: 'Network Error', code: 'NETWORK_ERROR' });
}

/** A failure without an answer: no network, or no server behind it. */
export function isConnectionError(error: unknown): boolean {
  return error instanceof CallError && error.code === 'NETWORK_ERROR';
}

export function abortedError(): CallError {
  return new CallError({ message: 'Request aborted', code: 'REQUEST_ABORTED' });
}

/** An answer with a success status and a wrong body, such as the page of a captive portal. */
export function unexpectedAnswer(status: number): CallError {
  return new CallError({
    message: 'The answer could not be read. Please try again.',
    code: 'UNEXPECTED_ANSWER',
    status,
  });
}

/**
 * The error of an answer outside 200–299.
 * @param body the parsed JSON, or undefined when it was none
 * @param retryAfter the `Retry-After` header
 */
export function failedAnswer(status: number, body: unknown, retryAfter: string | null): CallError {
  const wait = { retryAfter: secondsOf(retryAfter) };
  const parsed = anyErrorBody.safeParse(body);
  if (parsed.success) {
    const { message, errors = {}, email, draft } = parsed.data;
    // A newer server has codes that this app does not know: its sentences still help.
    const code = ERROR_CODES.find((known) => known === parsed.data.code) ?? 'UNEXPECTED_ANSWER';
    const fromServer = message !== '';
    return new CallError({ message, code, status, errors, email, draft, fromServer, ...wait });
  }
  // Not ours, such as a gateway's JSON about a route that it does not know.
  return new CallError({
    message: `Request failed with status code ${status}`,
    code: 'UNEXPECTED_ANSWER',
    status,
    ...wait,
  });
}

/** Waits for a removal that another device or tab may have made before. @throws {CallError} */
export async function orGone(removal: Promise<unknown>, gone: ErrorCode = 'NOT_FOUND') {
  await removal.catch((error: unknown) => {
    if (!isAnswerOf(error, gone)) throw error;
  });
}

/** Whether our server has answered with this code. */
export function isAnswerOf(error: unknown, code: ErrorCode): boolean {
  return error instanceof CallError && error.code === code;
}

export function isAborted(error: unknown): boolean {
  return error instanceof CallError && error.code === 'REQUEST_ABORTED';
}

/** The server's own sentence when it gave one, else `otherwise`. */
export function messageFrom(error: unknown, otherwise: string): string {
  return error instanceof CallError && error.fromServer ? error.message : otherwise;
}

/** The sentence of any call's failure, a lost connection included; else `otherwise`. */
export function sentenceFrom(error: unknown, otherwise: string): string {
  return error instanceof CallError && error.message !== '' ? error.message : otherwise;
}

function secondsOf(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
