import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../shared/error-body.ts';
import { ERRORS } from '../../shared/errors.ts';
import { CallError, failedAnswer, networkError } from '../api/errors.ts';
import { PAUSE_MAX_MS } from '../db/due.ts';
import { asCallError, backoff, decideRetry, deliveryOf, failureOf } from './retry-policy.ts';

describe('decideRetry', () => {
  it.each([
    [
      'a page that is not ours',
      new CallError({ message: '', code: 'UNEXPECTED_ANSWER', status: 200 }),
    ],
    ...[408, 425, 429, 500, 502, 503, 504, 507].map((status): [string, CallError] => [
      `${status}`,
      failedAnswer(status, undefined, null),
    ]),
  ])('%s is tried again', (_, error) => {
    expect(decideRetry(error)).toEqual({ kind: 'retry', after: null });
  });

  it('asks a server that cannot be reached every half minute at least', () => {
    const decision = decideRetry(networkError());
    if (decision.kind !== 'retry') throw new Error('It must be tried again.');
    expect(backoff(10, decision, 0.999_999)).toBe(30_000);
  });

  it('obeys Retry-After', () => {
    expect(decideRetry(failedAnswer(503, undefined, '7'))).toEqual({ kind: 'retry', after: 7_000 });
  });

  it.each([400, 401, 403, 404, 413])('a %i that is none of ours is tried again', (status) => {
    expect(decideRetry(failedAnswer(status, undefined, null)).kind).toBe('retry');
  });

  it('a refusal of a newer server, by a code that is not known here, waits for the person', () => {
    const body = { message: 'Capsules need a colour.', code: 'COLOUR_MISSING' };
    expect(decideRetry(failedAnswer(400, body, null)).kind).toBe('needs-fix');
  });

  it('sorts every code of the catalogue: nothing falls through', () => {
    const codesOf = (kind: string) =>
      ERROR_CODES.filter((code) => {
        const [status, message] = ERRORS[code];
        return decideRetry(failedAnswer(status, { code, message }, null)).kind === kind;
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
      'MAINTENANCE',
      'PROVIDER_AWAY',
      'BUSY',
      'STORAGE_FULL',
    ]);
    expect(codesOf('needs-fix')).toContain('UNLOCK_DAY_INVALID');
    expect(codesOf('needs-fix')).toContain('RECIPIENT_NOT_REGISTERED');
    // An invitation that was queued before the door was closed.
    expect(codesOf('needs-fix')).toContain('REGISTRATION_CLOSED');
  });
});

describe('deliveryOf', () => {
  const answered = (status: number, body?: object) => deliveryOf(failedAnswer(status, body, null));

  it('is unknown where nobody says that the server has looked at the key', () => {
    const unknown = [0, 200, 401, 403, 408, 409, 429, 500, 503].map((status) =>
      deliveryOf(new CallError({ message: '', code: 'UNEXPECTED_ANSWER', status })),
    );
    expect(unknown).toEqual(unknown.map(() => 'unknown'));
  });

  it('is rejected by a refusal of our own server', () => {
    const codes = ['VALIDATION_FAILED', 'CAPSULE_DELETED', 'FILE_TOO_LARGE'] as const;
    for (const code of codes) {
      const [status, message] = ERRORS[code];
      expect(answered(status, { code, message })).toBe('rejected');
    }
  });

  it('is not delivered while the server takes nothing, so that it can still be edited', () => {
    for (const code of ['MAINTENANCE', 'RATE_LIMITED'] as const) {
      const [status, message] = ERRORS[code];
      expect(answered(status, { code, message })).toBe('not-delivered');
    }
  });

  it('is not delivered when a proxy refused it', () => {
    expect([400, 404, 413, 415].map((status) => answered(status))).toEqual([
      'not-delivered',
      'not-delivered',
      'not-delivered',
      'not-delivered',
    ]);
  });
});

describe('failureOf', () => {
  it('blames something on the way only when it has answered', () => {
    const portal = failureOf(failedAnswer(403, undefined, null)).message;
    expect(portal).toBe(
      'A network in between blocked the connection (a hotel or café sign-in page?).',
    );
    expect(failureOf(asCallError(new Error('This device is not well.'))).message).toBe(
      'This device is not well.',
    );
    const newer = failedAnswer(400, { message: 'No colour.', code: 'COLOUR_MISSING' }, null);
    expect(failureOf(newer).message).toBe('No colour.');
  });
});

describe('backoff', () => {
  it('doubles from 5 seconds to 15 minutes, anywhere below, and never before Retry-After', () => {
    expect(
      [1, 2, 3, 20, 1_000].map((attempts) => backoff(attempts, { after: null }, 0.999_999)),
    ).toEqual([5_000, 10_000, 20_000, 900_000 - 1, 900_000 - 1]);
    expect(backoff(4, { after: null }, 0)).toBe(0);
    expect(backoff(1, { after: 60_000 }, 0.5)).toBe(60_000);
    expect(backoff(1, { after: 10 * PAUSE_MAX_MS }, 0.5)).toBe(PAUSE_MAX_MS);
  });

  it('stays short for a key that an earlier request holds, however often it was tried', () => {
    const [status, message] = ERRORS.IDEMPOTENCY_KEY_IN_PROGRESS;
    const held = failedAnswer(status, { code: 'IDEMPOTENCY_KEY_IN_PROGRESS', message }, '5');
    const outcome = decideRetry(held);
    if (outcome.kind !== 'retry') throw new Error('It must be tried again.');
    expect(backoff(12, outcome, 0)).toBe(5_000);
    expect(backoff(12, outcome, 0.999_999)).toBe(15_000);
  });
});
