import type { AccountDraft } from '../shared/api/drafts.ts';
import type { ErrorCode } from '../shared/error-body.ts';
import { ERRORS } from '../shared/errors.ts';

export interface AppErrorDetails {
  /** Replaces the default text of the code. */
  message?: string;
  /** One sentence for each invalid field. */
  errors?: Record<string, string>;
  /** Seconds to wait before trying again, sent as Retry-After. */
  retryAfter?: number;
  /** Only with EMAIL_NOT_VERIFIED. */
  email?: string;
  /** Only with DRAFT_CHANGED: the draft as it is now. */
  draft?: AccountDraft;
  cause?: unknown;
}

/** An expected failure, with a code of shared/error-body.ts and a text for people. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: AppErrorDetails;

  constructor(code: ErrorCode, details: AppErrorDetails = {}) {
    super(details.message ?? ERRORS[code][1], { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = ERRORS[code][0];
    this.details = details;
  }
}

/** What an input can't be, said at its field, or by the name of its header. */
export function fieldError(field: string, message: string): AppError {
  return new AppError('VALIDATION_FAILED', { message, errors: { [field]: message } });
}
