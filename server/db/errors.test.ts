import { describe, expect, test } from 'vitest';
import { isDatabaseAway, isDatabaseFull, isEscapedByDriver, uniqueViolation } from './errors.ts';

const withCode = (code: string, more: object = {}) =>
  Object.assign(new Error(code), { code, ...more });
/** As drizzle throws what the driver threw. */
const wrapped = (cause: unknown) => new Error('Failed query', { cause });

describe('a database that is away', () => {
  test.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'CONNECTION_CLOSED',
    'CONNECTION_ENDED',
    'CONNECT_TIMEOUT',
    '57P01',
    '57P02',
    '57P03',
    '53300',
    '25006',
    '08006',
  ])('%s', (code) => {
    expect(isDatabaseAway(withCode(code))).toBe(true);
    expect(isDatabaseAway(wrapped(withCode(code)))).toBe(true);
  });

  test('a socket that is not there, but not a file that is not there', () => {
    expect(isDatabaseAway(withCode('ENOENT', { syscall: 'connect' }))).toBe(true);
    expect(isDatabaseAway(withCode('ENOENT', { syscall: 'open' }))).toBe(false);
  });

  test.each(['23505', '28P01', '3D000', '57014', 'ENOSPC'])('%s is another failure', (code) => {
    expect(isDatabaseAway(wrapped(withCode(code)))).toBe(false);
  });

  test.each([[null], [undefined], ['ECONNREFUSED'], [{}], [new Error('x')]])(
    '%s is no such error',
    (value) => {
      expect(isDatabaseAway(value)).toBe(false);
    },
  );
});

describe('a unique violation', () => {
  const violation = withCode('23505', { constraint_name: 'users_email' });

  test('gives the name of its constraint, bare and wrapped', () => {
    expect(uniqueViolation(violation)).toBe('users_email');
    expect(uniqueViolation(wrapped(violation))).toBe('users_email');
  });

  test('is told apart from other violations', () => {
    expect(uniqueViolation(withCode('23503', { constraint_name: 'users_email' }))).toBeNull();
    expect(uniqueViolation(null)).toBeNull();
  });

  test('is found in an error that is its own cause', () => {
    const circular: Error & { cause?: unknown } = new Error('round and round');
    circular.cause = circular;
    expect(uniqueViolation(circular)).toBeNull();
  });
});

describe('a database without space', () => {
  test('is told from one that is away', () => {
    const full = new Error('Failed query', { cause: withCode('53100') });
    expect(isDatabaseFull(full)).toBe(true);
    expect(isDatabaseAway(full)).toBe(false);
    expect(isDatabaseFull(withCode('53300'))).toBe(false);
    expect(isDatabaseFull(new Error('x'))).toBe(false);
  });
});

describe('an error that the driver lets escape', () => {
  const typeError = (frame: string) =>
    Object.assign(new TypeError("Cannot read properties of null (reading 'write')"), {
      stack: `TypeError: Cannot read properties of null (reading 'write')\n    at ${frame}`,
    });
  const inDriver =
    'Immediate.nextWrite (file:///app/node_modules/postgres/src/connection.js:255:22)';

  test('is a connection that ended, or a write to its socket', () => {
    expect(isEscapedByDriver(withCode('CONNECTION_CLOSED'))).toBe(true);
    expect(isEscapedByDriver(typeError(inDriver))).toBe(true);
  });

  test('is no mistake of ours', () => {
    expect(isEscapedByDriver(typeError('nextWrite (file:///app/dist/server/main.js:1:1)'))).toBe(
      false,
    );
    expect(isEscapedByDriver(typeError(`ours (a.js:1:1)\n    at ${inDriver}`))).toBe(false);
    expect(isEscapedByDriver(new Error('x'))).toBe(false);
  });
});
