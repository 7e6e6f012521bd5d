import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { login } from '../../shared/api/auth.ts';
import { listCreated } from '../../shared/api/capsules.ts';
import { capsuleFields } from '../support/capsules.ts';
import { answerOf, createClient, PASSWORD, signUp, unlessUnavailable } from '../support/client.ts';
import { largeVideo } from '../support/fixtures.ts';
import { runOperatorCommand } from '../support/operator-command.ts';
import { asContainer, createDataDirectory, type ServerProcess } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** `ROUNDS=50` for the long run. */
const ROUNDS = Number(process.env.ROUNDS ?? 1);
const IN_USE =
  /^The data directory \S+ is in use by another Time Capsule server \([^\n]+\)\. Stop that one first, or set DATA_DIR to another directory\.\n$/;

/** It had begun on a database that a command had started, and stopped when it was done. */
const STOPPED =
  'Time Capsule cannot start: the database was stopped or started meanwhile. Try again.\n';

const isOneLine = (text: string) => IN_USE.test(text) || text === STOPPED;

/** @returns the server that goes on, when the other one has ended with one line */
async function theOneOf(one: ServerProcess, other: ServerProcess): Promise<ServerProcess> {
  const [ended, winner] = await Promise.race([
    one.exited.then(() => [one, other] as const),
    other.exited.then(() => [other, one] as const),
  ]);
  expect(await ended.exited).toEqual({ code: 1, signal: null });
  expect(ended.stderr()).toSatisfy(isOneLine);
  await winner.ready();
  return winner;
}

/** So that trying again meets no limit of attempts. */
const UNHURRIED = { everyMs: 1_000 };

/** Its address, or null when it ended because another one was still there. */
async function readyOrRefused(server: ServerProcess): Promise<string | null> {
  try {
    return await server.ready();
  } catch (error) {
    if (isOneLine(server.stderr())) return null;
    throw error;
  }
}

/** Signs in. @returns how many capsules the person has created */
async function countCreated(url: string, email: string): Promise<number> {
  const client = createClient(url);
  await client.get('/api/limits');
  answerOf(login, await client.post('/auth/login', { email, password: PASSWORD }));
  return answerOf(listCreated, await client.get('/api/capsules/created')).pagination.totalItems;
}

test(`${ROUNDS} times two containers and a command on one data directory: one server, and nothing is lost`, {
  timeout: 120_000 + ROUNDS * 120_000,
}, async () => {
  const data = await createDataDirectory(asContainer());
  onTestFinished(() => data.remove());
  const film = { name: 'film.mp4', type: 'video/mp4', bytes: await buffer(largeVideo(3_000_000)) };
  const env = { DATA_DIR: data.path };
  /** It reads all that is there, or says in one line why it can't. */
  const command = async () => {
    const { code, stdout, stderr } = await runOperatorCommand('fsck', [], {
      runner: asContainer(),
      env,
    });
    if (code === 0) expect(stdout).toMatch(/: 0 missing or damaged\.\n$/);
    else expect(`${stdout}${stderr}`).toMatch(/^[^\n]+\n$/);
    return code === 0;
  };
  let joined = 0;

  for (let round = 1; round <= ROUNDS; round += 1) {
    // At start.
    const [first] = await Promise.all([theOneOf(data.start(), data.start()), command()]);
    // A command that has started the database, and stops it again, has the server start it anew.
    const at = await first.ready();
    const name = () => `ada-${round}-${randomUUID().slice(0, 8)}`;
    const person = await until(() => signUp(at, name()).catch(unlessUnavailable), UNHURRIED);

    // While a file arrives.
    const fields = capsuleFields(person, { dateToUnlock: '2099-01-01' });
    const [sealed, , isIn] = await Promise.all([
      person.createCapsule(fields, [film]),
      theOneOf(first, data.start()),
      command(),
    ]);
    expect(sealed.status).toBe(201);
    if (isIn) joined += 1;

    // At stop: the next one takes over, or ends and is started again.
    first.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
    const next = data.start();
    const [url] = await Promise.all([readyOrRefused(next), command(), first.exited]);
    const last = url ? next : data.start();
    const there = await last.ready();
    const again = () => countCreated(there, person.user.email).catch(unlessUnavailable);
    expect(await until(again, UNHURRIED)).toBe(1);
    const { code, stdout } = await runOperatorCommand('fsck', [], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^${round} files? checked, .*: 0 missing or damaged\\.$`, 'm'),
    );
    last.kill(round % 3 === 0 ? 'SIGKILL' : 'SIGTERM');
    await last.exited;
  }
  // A command reaches the database of a server in another container by its socket.
  expect(joined).toBe(ROUNDS);
});

test('a database that outlived its server serves one in a container, and no second one', {
  timeout: 180_000,
}, async () => {
  const data = await createDataDirectory();
  onTestFinished(() => data.remove());
  const first = data.start();
  await signUp(await first.ready(), 'ada');
  first.kill('SIGKILL');
  await first.exited;
  expect(await data.postmaster()).toMatchObject({ ready: true });

  const second = data.start({}, asContainer());
  expect(await countCreated(await second.ready(), 'ada@example.org')).toBe(0);
  const third = data.start();
  expect(await third.exited).toEqual({ code: 1, signal: null });
  expect(third.stderr()).toMatch(IN_USE);
});
