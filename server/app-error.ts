import type { ErrorCode } from '../shared/error-body.ts';
import { ERRORS } from '../shared/errors.ts';

export interface AppErrorDetails {
  /** Replaces the code's own sentence. */
  message?: string;
  /** One sentence for each refused field. */
  errors?: Record<string, string>;
  /** Seconds after which it is worth trying again; sent as Retry-After. */
  retryAfter?: number;
  /** Only with EMAIL_NOT_VERIFIED. */
  email?: string;
  cause?: unknown;
}

/** An expected failure: it has a code of the catalogue and a sentence a person may read. */
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
