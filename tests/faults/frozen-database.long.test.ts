import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { listCreated } from '../../shared/api/capsules.ts';
import { IDEMPOTENCY_HEADER, XSRF_COOKIE, XSRF_HEADER } from '../../shared/limits.ts';
import { capsuleFields } from '../support/capsules.ts';
import { answerOf, capsuleForm, createClient, PASSWORD, signUp } from '../support/client.ts';
import { largeVideo } from '../support/fixtures.ts';
import { createDataDirectory, type DataDirectory } from '../support/server-process.ts';
import { storedKeys } from '../support/stored-keys.ts';
import { until } from '../support/until.ts';

/** What a call may take while the database is frozen, with room for a slow machine. */
const ANSWER_WITHIN_MS = 11_500;

let data: DataDirectory | undefined;
afterEach(() => data?.remove());

/** The postmaster and its children: each connection has a process of its own. */
function signalAll(postmaster: number, signal: NodeJS.Signals) {
  const { stdout } = spawnSync('pgrep', ['-P', String(postmaster)], { encoding: 'utf8' });
  for (const pid of [postmaster, ...stdout.split('\n').filter(Boolean).map(Number)]) {
    process.kill(pid, signal);
  }
}

test('while the database is frozen every call fails soon, and afterwards all is well', async () => {
  data = await createDataDirectory();
  const server = data.start();
  const person = await signUp(await server.ready(), 'ada');
  const { pid = 0 } = (await data.postmaster()) ?? {};
  const stranger = createClient(await server.ready());
  await stranger.get('/api/limits');
  const fields = capsuleFields(person, { dateToUnlock: '2099-01-01' });
  const headers = { [IDEMPOTENCY_HEADER]: randomUUID() };
  const calls = () => [
    person.createCapsule(fields, [], headers),
    ...Array.from({ length: 12 }, () => person.get('/api/capsules/created')),
    ...Array.from({ length: 12 }, () => person.get('/user/me')),
    // It asks the database for one thing after the other.
    stranger.post('/auth/login', { email: person.user.email, password: PASSWORD }),
  ];

  signalAll(pid, 'SIGSTOP');
  try {
    // The second round meets connections that were opened to the frozen database.
    for (const _round of [1, 2]) {
      const startedAt = performance.now();
      const answers = await Promise.all(calls());
      expect(performance.now() - startedAt).toBeLessThan(ANSWER_WITHIN_MS);
      for (const { status, headers } of answers) {
        expect([status, headers.get('retry-after')]).toEqual([503, '2']);
      }
    }
  } finally {
    signalAll(pid, 'SIGCONT');
  }

  const created = await until(async () => {
    const answer = await person.createCapsule(fields, [], headers);
    return answer.status === 201 ? answer : null;
  });
  expect(created.status).toBe(201);
  const { pagination } = answerOf(listCreated, await person.get('/api/capsules/created'));
  expect(pagination.totalItems).toBe(1);
  expect(server.messages()).toContain('The database does not answer. Giving up its connections …');
});

test('a capsule that was arriving when the database froze is refused as soon', async () => {
  data = await createDataDirectory();
  const url = await data.start().ready();
  const person = await signUp(url, 'ada');
  const fields = capsuleFields(person, { dateToUnlock: '2099-01-01' });
  const file = { name: 'film.mp4', type: 'video/mp4', bytes: await buffer(largeVideo(600_000)) };
  const form = new Response(capsuleForm(fields, [file]));
  const body = Buffer.from(await form.arrayBuffer());
  const sent = request(`${url}/api/capsules`, {
    method: 'POST',
    headers: {
      [IDEMPOTENCY_HEADER]: randomUUID(),
      'content-type': String(form.headers.get('content-type')),
      'content-length': body.length,
      cookie: await person.jar.getCookieString(url),
      [XSRF_HEADER]: String(await person.cookie(XSRF_COOKIE)),
    },
  });
  sent.write(body.subarray(0, body.length - 100));
  const { path: dataDir } = data;
  await until(async () => ((await storedKeys({ dataDir })).length > 0 ? true : null));

  const { pid = 0 } = (await data.postmaster()) ?? {};
  signalAll(pid, 'SIGSTOP');
  try {
    const startedAt = performance.now();
    sent.end(body.subarray(body.length - 100));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2']);
    expect(performance.now() - startedAt).toBeLessThan(ANSWER_WITHIN_MS);
  } finally {
    signalAll(pid, 'SIGCONT');
  }
});
