import type { ErrorHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ErrorBody, ErrorCode } from '../../shared/error-body.ts';
import { AppError } from '../app-error.ts';
import { isDatabaseAway, isDatabaseBusy, isDatabaseFull } from '../db/errors.ts';
import type { Deps } from '../deps.ts';
import { describeError } from '../describe-error.ts';
import type { AppEnv } from './context.ts';
import { refusal } from './who.ts';

/** Refusals of somebody who may be guessing or flooding: lines say who it was (`refusal`). */
const WATCHED = new Set<ErrorCode>([
  'INVALID_CREDENTIALS',
  'EMAIL_NOT_VERIFIED',
  'ACCOUNT_SUSPENDED',
  'REGISTRATION_CLOSED',
  'RATE_LIMITED',
  'INVALID_RESET_TOKEN',
  'INVALID_VERIFICATION_TOKEN',
  'INVALID_INVITATION',
  'INVALID_ADDRESS_LINK',
  'INVALID_RESTORE_LINK',
  'INVALID_NOTICE_LINK',
  'CONTRIBUTION_LINK_INVALID',
  'CROSS_SITE',
]);

/** Failures of what is not ours, or that an operator has asked for. The first has said so itself. */
const EXPECTED = new Set<ErrorCode>(['PROVIDER_AWAY', 'MAINTENANCE']);

/** The one place where a failure becomes an answer. */
export function errorHandler({ db, log }: Pick<Deps, 'db' | 'log'>): ErrorHandler<AppEnv> {
  return async (error, c) => {
    const known = asAppError(error);
    const requestId = c.get('requestId');
    const { code } = known;
    if (code === 'BUSY' || WATCHED.has(code)) {
      const fields = await refusal(c, db, code);
      if (fields && code === 'BUSY') log.warn(fields, 'The server was too busy for a request.');
      else if (fields) log.info(fields, 'Refused a request.');
    } else if (known.status >= 500 && !EXPECTED.has(code)) {
      log.error({ requestId, code, error: describeError(error) }, 'A request failed.');
    }
    if (known.details.retryAfter !== undefined) {
      c.header('Retry-After', String(known.details.retryAfter));
    }
    const { errors, email, draft } = known.details;
    const body: ErrorBody = {
      message: known.message,
      code: known.code,
      ...(errors && { errors }),
      ...(email && { email }),
      ...(draft && { draft }),
    };
    return c.json(body, known.status as ContentfulStatusCode);
  };
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error) || isDatabaseBusy(error))
    return new AppError('UNAVAILABLE', { retryAfter: 2, cause: error });
  if (isDatabaseFull(error)) return new AppError('STORAGE_FULL', { cause: error });
  return new AppError('INTERNAL', { cause: error });
}
