import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedDatabase } from '../../server/embedded-postgres/index.ts';
import { createLog } from '../../server/log.ts';
import { acceptStoreOfDatabase } from '../../server/operator/accept-store.ts';
import { fsck } from '../../server/operator/fsck.ts';
import { move } from '../../server/operator/move.ts';
import { listCreated } from '../../shared/api/capsules.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, createClient, PASSWORD, signUp } from '../support/client.ts';
import { pdf, photo } from '../support/fixtures.ts';
import { relayTo } from '../support/pooler.ts';
import { startS3Server } from '../support/s3-server.ts';
import { createDataDirectory, type DataDirectory } from '../support/server-process.ts';

const LATER = addDays(dayAt(new Date(), 'UTC'), 400);

async function newData(): Promise<DataDirectory> {
  const data = await createDataDirectory();
  onTestFinished(data.remove);
  return data;
}

/** The variables of a new bucket. */
async function newBucket(): Promise<Record<string, string>> {
  const s3 = await startS3Server();
  onTestFinished(s3.close);
  return Object.fromEntries(
    Object.entries(s3.options).map(([name, value]) => [
      `S3_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
      value,
    ]),
  );
}

/** Runs a server for as long as `work` takes. */
async function whileRunning<Result>(
  data: DataDirectory,
  work: (url: string) => Promise<Result>,
  environment: Record<string, string> = {},
): Promise<Result> {
  const server = data.start(environment);
  const result = await work(await server.ready());
  server.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
  return result;
}

/** The one line of a start that was refused. */
async function refusal(
  data: DataDirectory,
  environment: Record<string, string> = {},
): Promise<string> {
  const server = data.start(environment);
  expect(await server.exited).toEqual({ code: 1, signal: null });
  return server.stderr();
}

const MARKED =
  'The old database is marked as moved, and the server does not start on it any more. Keep it as a backup until you trust the new one.';
const PASSKEYS =
  'Passkeys work under the host of APP_URL alone. If that changes as well, people sign in with their passwords and add new ones.';
const WAY_BACK = /^This database was moved to .*run "npm run store:accept"\.\n?$/;

const sealFor = async (url: string, title: string) => {
  const ada = await signUp(url, `Ada ${title}`);
  await seal(ada, ada, { title, dateToUnlock: LATER }, [await photo(), pdf(`${title}.pdf`)]);
};

/** Whether a person finds their capsule there. */
async function isThere(url: string, title: string): Promise<boolean> {
  const client = createClient(url);
  await client.get('/user/me');
  const email = `ada-${title.toLowerCase()}@example.org`;
  const { status } = await client.post('/auth/login', { email, password: PASSWORD });
  if (status !== 200) return false;
  const { capsules } = answerOf(listCreated, await client.get('/api/capsules/created'));
  return capsules.map((capsule) => capsule.title).join() === title;
}

async function bothAreThere(url: string): Promise<void> {
  expect([await isThere(url, 'First'), await isThere(url, 'Second')]).toEqual([true, true]);
}

test('an instance moves to another database and a bucket, anew after the way back, and on', {
  timeout: 120_000,
}, async () => {
  const [old, first, next, home] = await Promise.all([0, 1, 2, 3].map(newData));
  if (!(old && first && next && home)) throw new Error('no folders');
  await whileRunning(old, (url) => sealFor(url, 'First'));
  const [bucket, another] = [await newBucket(), await newBucket()];

  const toBucket = (to: DataDirectory, s3: Record<string, string>) =>
    move({ DATA_DIR: old.path, ...s3 }, { to: to.path, files: 's3' });
  expect(await toBucket(first, bucket)).toEqual({
    ok: true,
    lines: [
      expect.stringMatching(
        /^\d+ rows are in .*, and 2 files \(\d+ MB, read and hashed\) in the bucket .*: 0 missing or damaged\.$/,
      ),
      `Start the server with DATA_DIR=${first.path}, with the S3_… variables.`,
      MARKED,
      PASSKEYS,
    ],
  });
  expect(await refusal(old)).toMatch(WAY_BACK);
  expect((await acceptStoreOfDatabase({ DATA_DIR: old.path })).ok).toBe(true);
  await whileRunning(old, (url) => sealFor(url, 'Second'));
  // What people may have sealed there since would be lost.
  expect(await toBucket(first, another)).toEqual({
    ok: false,
    lines: [`${first.path} holds another instance. Choose an empty database.`],
  });
  // The bucket stays with the database that was moved first. What was begun is no database yet.
  expect(await toBucket(next, bucket)).toEqual({
    ok: false,
    lines: [expect.stringContaining('belong to another database')],
  });
  expect(await refusal(next, another)).toContain('This database is an unfinished copy.');
  expect(await toBucket(next, another)).toMatchObject({ ok: true });
  await whileRunning(next, bothAreThere, another);
  await whileRunning(first, async (url) => expect(await isThere(url, 'First')).toBe(true), bucket);

  const back = await move({ DATA_DIR: next.path, ...another }, { to: home.path, files: 'disk' });
  expect(back).toMatchObject({ ok: true });
  expect(back.lines.slice(1)).toEqual([
    `Start the server with DATA_DIR=${home.path}, without the S3_… variables.`,
    MARKED,
    PASSKEYS,
  ]);
  // The bucket is left to the database of before: with it, this one would miss what is sealed from now on.
  expect(await refusal(home, another)).toContain('belong to another database');
  await whileRunning(home, bothAreThere);
  expect(await fsck({ DATA_DIR: home.path })).toMatchObject({ ok: true });
});

test('a database that was left behind deletes no file of the one that was moved', {
  timeout: 120_000,
}, async () => {
  const [old, own] = [await newData(), await newData()];
  await whileRunning(old, (url) => sealFor(url, 'First'));
  // An embedded one plays the PostgreSQL of one's own: the files stay where they are.
  const postgres = await startEmbeddedDatabase({
    dataDir: own.path,
    log: createLog('silent'),
    onLost() {},
  });
  onTestFinished(postgres.stop);
  if (!('socketPath' in postgres.address)) throw new Error('no socket');
  const relay = await relayTo(postgres.address.socketPath);
  onTestFinished(relay.close);
  const DATABASE_URL = `postgres://postgres@127.0.0.1:${relay.port}/postgres`;
  const moved = { DATABASE_URL };
  expect(await move({ DATA_DIR: old.path }, { to: DATABASE_URL })).toMatchObject({ ok: true });
  await whileRunning(old, (url) => sealFor(url, 'Second'), moved);

  // The variable is forgotten.
  expect(await refusal(old)).toMatch(WAY_BACK);
  expect(await fsck({ DATA_DIR: old.path })).toEqual({
    ok: false,
    lines: [expect.stringMatching(WAY_BACK)],
  });
  expect(await move({ DATA_DIR: old.path }, { to: `${old.path}-again` })).toMatchObject({
    ok: false,
    lines: [expect.stringMatching(WAY_BACK)],
  });
  expect(await fsck({ DATA_DIR: old.path, ...moved })).toMatchObject({ ok: true });

  // Back to the old one all the same: the files of Second stay, and the new one is shut out.
  expect((await acceptStoreOfDatabase({ DATA_DIR: old.path })).ok).toBe(true);
  await whileRunning(old, async (url) => expect(await isThere(url, 'First')).toBe(true));
  expect(await refusal(old, moved)).toContain('belong to another database');
  expect(await fsck({ DATA_DIR: old.path, ...moved })).toMatchObject({ ok: true });
});

test('a running instance, another one in the way, and no other place are refused', async () => {
  const [old, other] = [await newData(), await newData()];
  await whileRunning(other, async () => undefined);
  const refused = async (options: object, environment = {}) => {
    const { ok, lines } = await move({ DATA_DIR: old.path, ...environment }, options);
    return [ok, ...lines];
  };
  expect(await refused({ to: other.path })).toEqual([
    false,
    `There is no database in ${old.path}. Is DATA_DIR right?`,
  ]);
  await whileRunning(old, async () => {
    const [ok, line] = await refused({ to: `${old.path}-new` });
    expect([ok, line]).toEqual([false, expect.stringContaining('is in use by another')]);
  });
  expect(await refused({ to: other.path })).toEqual([
    false,
    `${other.path} holds another instance. Choose an empty database.`,
  ]);
  expect(await refused({ to: old.path })).toEqual([
    false,
    '--to names the database that is to be moved.',
  ]);
  expect(await refused({ to: `${old.path}-new`, files: 's3' })).toEqual([
    false,
    '--files s3 needs the S3_… variables of the bucket.',
  ]);
  expect(await refused({ to: `${old.path}-new`, files: 'tape' })).toEqual([
    false,
    '--files is either s3 or disk.',
  ]);
  expect((await refused({}))[1]).toContain('Please say where');
});
