import { describe, expect, it } from 'vitest';
import { ERROR_CODES, ERRORS } from '../../shared/errors.ts';
import { CallError, failedAnswer, networkError } from '../http/call-error.ts';
import { backoff, isDecided, outcomeOf } from './outcome.ts';

describe('outcomeOf', () => {
  it.each([
    ['no answer', networkError()],
    [
      'a page that is not ours',
      new CallError({ message: '', code: 'UNEXPECTED_ANSWER', status: 200 }),
    ],
    ...[408, 425, 429, 500, 502, 503, 504, 507].map((status): [string, CallError] => [
      `${status}`,
      failedAnswer(status, undefined, null),
    ]),
  ])('%s is tried again', (_, error) => {
    expect(outcomeOf(error)).toEqual({ kind: 'retry', after: null });
  });

  it('obeys Retry-After', () => {
    expect(outcomeOf(failedAnswer(503, undefined, '7'))).toEqual({ kind: 'retry', after: 7_000 });
  });

  it('sorts every code of the catalogue: nothing falls through', () => {
    const codesOf = (kind: string) =>
      ERROR_CODES.filter((code) => {
        const [status, message] = ERRORS[code];
        return outcomeOf(failedAnswer(status, { code, message }, null)).kind === kind;
      });
    expect(codesOf('needs-sign-in')).toEqual(['UNAUTHENTICATED', 'INVALID_CREDENTIALS']);
    expect(codesOf('storage-full')).toEqual(['STORAGE_LIMIT_REACHED']);
    expect(codesOf('retry')).toEqual([
      'MALFORMED_BODY',
      'MALFORMED_MULTIPART',
      'UPLOAD_PART_CORRUPT',
      'XSRF_INVALID',
      'UPLOAD_NOT_FOUND',
      'REQUEST_TIMEOUT',
      'IDEMPOTENCY_KEY_IN_PROGRESS',
      'UPLOAD_OFFSET_WRONG',
      'UPLOAD_INCOMPLETE',
      'RATE_LIMITED',
      'INTERNAL',
      'UNAVAILABLE',
      'BUSY',
      'STORAGE_FULL',
    ]);
    expect(codesOf('needs-fix')).toContain('UNLOCK_DAY_INVALID');
    expect(codesOf('needs-fix')).toContain('RECIPIENT_NOT_REGISTERED');
  });
});

describe('isDecided', () => {
  it('holds only where the server has looked at the key and said no', () => {
    const decided = [0, 200, 401, 403, 408, 409, 429, 500, 503].map((status) =>
      isDecided(new CallError({ message: '', code: 'UNEXPECTED_ANSWER', status })),
    );
    expect(decided).toEqual(decided.map(() => false));
    expect(
      [400, 410, 413, 415, 422].every((status) => isDecided(failedAnswer(status, undefined, null))),
    ).toBe(true);
  });
});

describe('backoff', () => {
  it('doubles from 5 seconds to 15 minutes, anywhere below, and never before Retry-After', () => {
    expect([1, 2, 3, 20, 1_000].map((attempts) => backoff(attempts, null, 0.999_999))).toEqual([
      5_000,
      10_000,
      20_000,
      900_000 - 1,
      900_000 - 1,
    ]);
    expect(backoff(4, null, 0)).toBe(0);
    expect(backoff(1, 60_000, 0.5)).toBe(60_000);
  });
});
