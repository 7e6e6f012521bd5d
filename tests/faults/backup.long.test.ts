import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { findPostmaster, stopPostmaster } from '../../server/embedded-postgres/index.ts';
import { createDiskStore } from '../../server/files/disk.ts';
import { backup } from '../../server/operator/backup.ts';
import { fsck } from '../../server/operator/fsck.ts';
import { login } from '../../shared/api/auth.ts';
import { getCapsule } from '../../shared/api/capsules.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { answerOf, createClient, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { largeVideo, pdf, photo, sha256 } from '../support/fixtures.ts';
import { runOperatorCommand } from '../support/operator-command.ts';
import {
  asMyself,
  createDataDirectory,
  onSmallDisk,
  spawnServer,
} from '../support/server-process.ts';
import { storedKeys } from '../support/stored-keys.ts';
import { until } from '../support/until.ts';

async function newFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'time-capsule-backup-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'copy');
}

const letter = (person: SignedIn, title: string) => ({
  title,
  description: 'Made while a backup ran',
  dateToUnlock: addDays(dayAt(new Date(), 'UTC'), 400),
  recipientEmails: [person.user.email],
  notifyRecipient: false,
  personalMessage: 'Not before its day',
  timeZone: 'UTC',
});

/**
 * Seals capsules and deletes some again until told to end, or until more in this minute would be
 * refused. @returns the ids of those that stay
 */
function keepBusy(person: SignedIn) {
  let ending = false;
  const kept: string[] = [];
  const run = async () => {
    for (let round = 0; !ending && round < 100; round += 1) {
      const files = [await photo(), pdf(`Letter ${round}.pdf`)];
      const capsule = answerOf(
        createCapsule,
        await person.createCapsule(letter(person, `Busy ${round}`), files),
      );
      if (round % 2 === 0) kept.push(capsule.id);
      else expect((await person.delete(`/api/capsules/${capsule.id}`)).status).toBe(200);
    }
  };
  const running = run();
  return {
    kept,
    end: async () => {
      ending = true;
      await running;
    },
  };
}

test('a backup made under load starts elsewhere, passes fsck, and what was locked stays locked', {
  timeout: 120_000,
}, async () => {
  const data = await createDataDirectory();
  onTestFinished(data.remove);
  const server = data.start();
  const ada = await signUp(await server.ready(), 'ada');
  const files = [pdf()];
  const before = answerOf(
    createCapsule,
    await ada.createCapsule(letter(ada, 'Before the backup'), files),
  );
  const busy = keepBusy(ada);
  const folder = await newFolder();
  const made = await backup({ DATA_DIR: data.path }, folder);
  await busy.end();
  expect(made).toEqual({
    ok: true,
    lines: [
      expect.stringMatching(
        /^\d+ rows and \d+ files \(\d+ MB, read and hashed\) are now in .*: 0 missing or damaged\./,
      ),
    ],
  });
  expect(busy.kept.length).toBeGreaterThan(0);
  // The running one is whole, too.
  expect((await fsck({ DATA_DIR: data.path })).ok).toBe(true);
  server.kill('SIGKILL');
  await server.exited;

  expect(await fsck({ DATA_DIR: folder })).toEqual({
    ok: true,
    lines: [expect.stringMatching(/^\d+ files checked, \d+ MB read and hashed: 0 missing/)],
  });
  const copy = spawnServer(asMyself, tmpdir(), { DATA_DIR: folder });
  onTestFinished(async () => {
    copy.kill('SIGKILL');
    await copy.exited;
    await stopPostmaster(join(folder, 'database', 'cluster'));
  });
  const client = createClient(await copy.ready());
  await client.get('/api/limits');
  answerOf(login, await client.post('/auth/login', { email: ada.user.email, password: PASSWORD }));
  const detail = await client.get(`/api/capsules/${before.id}`);
  expect(answerOf(getCapsule, detail).locked).toBe(true);
  expect(detail.text).not.toContain('Not before its day');
  expect(detail.text).not.toContain(sha256(files[0]?.bytes ?? Buffer.alloc(0)));
});

test('a stopped server can be backed up as well, and stays stopped', async () => {
  const data = await createDataDirectory();
  onTestFinished(data.remove);
  const server = data.start();
  await signUp(await server.ready(), 'ada');
  server.kill('SIGTERM');
  await server.exited;
  const folder = await newFolder();
  expect((await backup({ DATA_DIR: data.path }, folder)).ok).toBe(true);
  expect(await data.postmaster()).toBeNull();
  expect((await fsck({ DATA_DIR: folder })).ok).toBe(true);
  expect(await backup({ DATA_DIR: data.path }, join(data.path, 'copy'))).toEqual({
    ok: false,
    lines: [expect.stringMatching(/is inside the data directory/)],
  });
  // A second one over it would mix two times.
  expect(await backup({ DATA_DIR: data.path }, folder)).toEqual({
    ok: false,
    lines: [`${folder} is not empty. Choose a new folder.`],
  });
});

test('a backup that is killed leaves no data directory, and is made by the same command again', async () => {
  const data = await createDataDirectory();
  onTestFinished(data.remove);
  const ada = await signUp(await data.start().ready(), 'ada');
  answerOf(createCapsule, await ada.createCapsule(letter(ada, 'Kept'), [pdf()]));
  const folder = await newFolder();
  const killed = new AbortController();
  const env = { DATA_DIR: data.path };
  const running = runOperatorCommand('backup', [folder], { env, signal: killed.signal });
  const cluster = join(folder, 'unfinished', 'database', 'cluster');
  await until(async () => ((await findPostmaster(cluster))?.ready ? true : null));
  killed.abort();
  expect((await running).code).toBeNull();
  expect((await fsck({ DATA_DIR: folder })).lines).toEqual([
    `There is no database in ${folder}. Is DATA_DIR right?`,
  ]);
  const again = await runOperatorCommand('backup', [folder], { env });
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(': 0 missing') });
  expect((await readdir(folder)).sort()).toEqual(['database', 'files']);
});

test('a disk that fills in the middle is one line that says what to do next', async () => {
  const data = await createDataDirectory();
  onTestFinished(data.remove);
  const ada = await signUp(await data.start().ready(), 'ada');
  const bytes = await buffer(largeVideo(40_000_000));
  const film = { name: 'film.mp4', type: 'video/mp4', bytes };
  for (const title of ['One', 'Two']) {
    answerOf(createCapsule, await ada.createCapsule(letter(ada, title), [film]));
  }
  const disk = await newFolder();
  await mkdir(disk);
  const folder = join(disk, 'copy');
  const runner = onSmallDisk(disk, 100);
  expect(
    await runOperatorCommand('backup', [folder], { env: { DATA_DIR: data.path }, runner }),
  ).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no space left on the disk for ${folder}. What was copied is deleted again. Choose another disk, or free some space, and make the backup again.\n`,
  });
  expect((await fsck({ DATA_DIR: data.path })).ok).toBe(true);
});

test('what cannot be read is named, and everything else is copied', async () => {
  const data = await createDataDirectory();
  onTestFinished(data.remove);
  const ada = await signUp(await data.start().ready(), 'ada');
  answerOf(
    createCapsule,
    await ada.createCapsule(letter(ada, 'Two files'), [pdf(), await photo()]),
  );
  const [lost = ''] = await storedKeys({ dataDir: data.path });
  await createDiskStore(join(data.path, 'files')).delete([lost]);
  const folder = await newFolder();
  expect(await backup({ DATA_DIR: data.path }, folder)).toEqual({
    ok: false,
    lines: [
      expect.stringContaining(`its bytes are missing (${lost})`),
      expect.stringContaining('and 2 files'),
    ],
  });
  expect(await storedKeys({ dataDir: folder })).toHaveLength(1);
});

test('fsck of a folder without a database makes none', async () => {
  expect(await fsck({ DATA_DIR: '/no/data' })).toEqual({
    ok: false,
    lines: ['There is no database in /no/data. Is DATA_DIR right?'],
  });
});

test.each([
  [{}, undefined, 'Please name a folder: npm run backup -- /path/of/a/new/folder'],
  [{ DATA_DIR: '/no/data' }, '/copy', 'There is no database in /no/data. Is DATA_DIR right?'],
])('what cannot be backed up is one line: %j to %s', async (environment, folder, line) => {
  expect(await backup(environment, folder)).toEqual({
    ok: false,
    lines: [line],
  });
});
