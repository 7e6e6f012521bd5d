import { expect, test } from 'vitest';
import { StartError } from './start-error.ts';
import { describeStartFailure } from './start-failure.ts';

const config = { host: 'localhost', port: 80, dataDir: '/srv/data' };
const failure = (code: string, syscall: string) =>
  Object.assign(new Error(`${code}: it\nfailed`), { code, syscall });

test.each([
  [new StartError('The reason.'), 'The reason.'],
  [
    failure('EADDRINUSE', 'listen'),
    'Port 80 on localhost is in use by another program. Stop it, or set PORT to another number.',
  ],
  [
    failure('EACCES', 'listen'),
    'Port 80 may not be opened by this user. Set PORT to a number above 1023.',
  ],
  [
    failure('ENOTFOUND', 'getaddrinfo'),
    'HOST is not usable: "localhost" is not an address of this machine.',
  ],
  [
    failure('EADDRNOTAVAIL', 'listen'),
    'HOST is not usable: "localhost" is not an address of this machine.',
  ],
  [failure('EMFILE', 'listen'), 'The server cannot listen on localhost:80: EMFILE: it failed'],
  [
    failure('ENOSPC', 'write'),
    'There is no space left on the disk of /srv/data. Free some and start again.',
  ],
  [failure('EACCES', 'mkdir'), 'Time Capsule cannot start: EACCES: it failed'],
  [failure('EMFILE', 'open'), 'Time Capsule cannot start: EMFILE: it failed'],
  [
    failure('CONNECTION_CLOSED', ''),
    'Time Capsule cannot start: the database was stopped or started meanwhile. Try again.',
  ],
  // A command that had started it stops it again.
  [
    failure('57P03', ''),
    'Time Capsule cannot start: the database was stopped or started meanwhile. Try again.',
  ],
  ['thrown text', 'Time Capsule cannot start: thrown text'],
])('%s', (error, line) => {
  expect(describeStartFailure(error, config)).toBe(line);
});

const query = (cause: Error) =>
  Object.assign(new Error('Failed query: …', { cause }), { query: '…' });

test.each([
  [failure('EACCES', 'mkdir'), 'This could not be done: EACCES: it failed'],
  [query(new Error('permission\ndenied')), 'This could not be done: permission denied'],
  [
    query(failure('42P01', '')),
    'The database is of an earlier version of Time Capsule. Start the server of this version once, and try again.',
  ],
])('of a command: %s', (error, line) => {
  expect(describeStartFailure(error, null)).toBe(line);
});
