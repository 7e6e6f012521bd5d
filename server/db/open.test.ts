import { createServer } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { StartError } from '../start-error.ts';
import { describeAddress } from './client.ts';
import { openDatabase } from './open.ts';

/** A port where nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

test('a database that stays away is tried again, and is then one line without the password', async () => {
  const port = await closedPort();
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const address = { url: `postgres://someone:hidden@127.0.0.1:${port}/capsules` };

  const error: unknown = await openDatabase({ address, log, waitMs: 800 }).catch(
    (reason) => reason,
  );

  expect(error).toBeInstanceOf(StartError);
  expect(error).toHaveProperty(
    'message',
    `The database at 127.0.0.1:${port}/capsules cannot be reached (connect ECONNREFUSED 127.0.0.1:${port}; tried for 1 s). Is it running, and is DATABASE_URL right?`,
  );
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('')).not.toContain('hidden');
});

test('waiting for the database ends when the server is told to stop', async () => {
  const address = { url: `postgres://127.0.0.1:${await closedPort()}/capsules` };
  const stop = new AbortController();
  const opening = openDatabase({ address, log: pino({ level: 'silent' }), signal: stop.signal });
  stop.abort();
  await expect(opening).rejects.toHaveProperty('name', 'AbortError');
});

test.each([
  [{ url: 'postgres://u:secret@db.example/capsules' }, 'db.example:5432/capsules'],
  [{ url: 'postgres://u:secret@a:1,b:2/capsules' }, 'the address in DATABASE_URL'],
  [
    { url: 'postgres://u:secret@a:1,b:2/capsules', way: 'direct' as const },
    'the address in DATABASE_DIRECT_URL',
  ],
  [{ socketPath: '/data/.s.PGSQL.5432' }, 'the socket /data/.s.PGSQL.5432'],
])('an address to read: %j', (address, text) => {
  expect(describeAddress(address)).toBe(text);
});
