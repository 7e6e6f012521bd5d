import { expect, onTestFinished, test } from 'vitest';
import { fsck } from '../../server/fsck.ts';
import { move } from '../../server/move.ts';
import { listCreated } from '../../shared/api/capsules.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, createClient, PASSWORD, signUp } from '../support/client.ts';
import { pdf, photo } from '../support/fixtures.ts';
import { startS3Server } from '../support/s3-server.ts';
import { createDataDirectory, type DataDirectory } from '../support/server-process.ts';

const LATER = addDays(dayAt(new Date(), 'UTC'), 400);

async function newData(): Promise<DataDirectory> {
  const data = await createDataDirectory();
  onTestFinished(data.remove);
  return data;
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

test('an instance moves to another database and a bucket, again with what is new, and back', {
  timeout: 120_000,
}, async () => {
  const [old, next, home] = [await newData(), await newData(), await newData()];
  await whileRunning(old, (url) => sealFor(url, 'First'));
  const s3 = await startS3Server();
  onTestFinished(s3.close);
  const bucket = Object.fromEntries(
    Object.entries(s3.options).map(([name, value]) => [
      `S3_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
      value,
    ]),
  );

  const toBucket = () => move({ DATA_DIR: old.path, ...bucket }, { to: next.path, files: 's3' });
  expect(await toBucket()).toEqual({
    ok: true,
    lines: [
      expect.stringMatching(
        /^\d+ rows are in .*, and 2 files \(\d+ MB, read and hashed\) in the bucket .*: 0 missing or damaged\.$/,
      ),
      `The old instance is as it was. Start the server with DATA_DIR=${next.path}, with the S3_… variables.`,
    ],
  });
  await whileRunning(old, (url) => sealFor(url, 'Second'));
  expect(await toBucket()).toMatchObject({ ok: true });
  await whileRunning(next, bothAreThere, bucket);
  // What people have sealed there since would be lost.
  await whileRunning(next, (url) => sealFor(url, 'Third'), bucket);
  const again = await toBucket();
  expect([again.ok, again.lines[0]]).toEqual([false, expect.stringContaining('add --replace')]);

  const back = await move({ DATA_DIR: next.path, ...bucket }, { to: home.path, files: 'disk' });
  expect(back).toMatchObject({ ok: true });
  expect(back.lines.at(-1)).toBe(
    `The old instance is as it was. Start the server with DATA_DIR=${home.path}, without the S3_… variables.`,
  );
  await whileRunning(home, bothAreThere);
  expect(await fsck({ DATA_DIR: home.path })).toMatchObject({ ok: true });
});

test('a running instance, another one in the way, and no other place are refused', async () => {
  const [old, other] = [await newData(), await newData()];
  await whileRunning(other, async () => undefined);
  const refusal = async (options: object, environment = {}) => {
    const { ok, lines } = await move({ DATA_DIR: old.path, ...environment }, options);
    return [ok, ...lines];
  };
  expect(await refusal({ to: other.path })).toEqual([
    false,
    `There is no database in ${old.path}. Is DATA_DIR right?`,
  ]);
  await whileRunning(old, async () => {
    const [ok, line] = await refusal({ to: `${old.path}-new` });
    expect([ok, line]).toEqual([false, expect.stringContaining('is in use by another')]);
  });
  expect(await refusal({ to: other.path })).toEqual([
    false,
    `${other.path} holds another instance. Choose an empty database.`,
  ]);
  expect(await refusal({ to: old.path })).toEqual([
    false,
    '--to names the database that is to be moved.',
  ]);
  expect(await refusal({ to: `${old.path}-new`, files: 's3' })).toEqual([
    false,
    '--files s3 needs the S3_… variables of the bucket.',
  ]);
  expect(await refusal({ to: `${old.path}-new`, files: 'tape' })).toEqual([
    false,
    '--files is either s3 or disk.',
  ]);
  expect((await refusal({}))[1]).toContain('Say where to');
});
