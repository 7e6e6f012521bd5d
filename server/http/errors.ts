import type { ErrorHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ErrorBody } from '../../shared/error-body.ts';
import { AppError } from '../app-error.ts';
import { isDatabaseAway, isDatabaseBusy, isDatabaseFull } from '../db/errors.ts';
import { describeError } from '../describe-error.ts';
import type { Log } from '../log.ts';
import type { AppEnv } from './context.ts';
import { refuseRest } from './refuse-rest.ts';

/** The one place where a failure becomes an answer. */
export function errorHandler(log: Log): ErrorHandler<AppEnv> {
  return (error, c) => {
    const known = asAppError(error);
    // An upload that is refused half-way: the answer must still reach who is sending.
    refuseRest(c.env.incoming, c.env.outgoing);
    if (known.code === 'BUSY') log.warn({ requestId: c.get('requestId') }, 'too busy');
    else if (known.status >= 500) {
      log.error(
        { requestId: c.get('requestId'), code: known.code, error: describeError(error) },
        'request failed',
      );
    }
    if (known.details.retryAfter !== undefined) {
      c.header('Retry-After', String(known.details.retryAfter));
    }
    const { errors, email } = known.details;
    const body: ErrorBody = {
      message: known.message,
      code: known.code,
      ...(errors && { errors }),
      ...(email && { email }),
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
