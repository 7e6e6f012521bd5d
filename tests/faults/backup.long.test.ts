import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stopPostmaster } from '../../server/embedded-postgres/index.ts';
import { backup } from '../../server/operator/backup.ts';
import { fsck } from '../../server/operator/fsck.ts';
import { login } from '../../shared/api/auth.ts';
import { getCapsule } from '../../shared/api/capsules.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { answerOf, createClient, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { pdf, photo, sha256 } from '../support/fixtures.ts';
import { asMyself, createDataDirectory, spawnServer } from '../support/server-process.ts';

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

test('a backup made under load starts elsewhere, passes fsck, and what was locked stays locked', async () => {
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
    line: expect.stringMatching(
      /^The database and \d+ files \(\d+ MB, with the marks of the store\) are now in /,
    ),
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
    line: expect.stringMatching(/is inside the data directory/),
  });
  // A second one over it would mix two times.
  expect(await backup({ DATA_DIR: data.path }, folder)).toEqual({
    ok: false,
    line: `${folder} is not empty. Choose a new folder.`,
  });
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
  [
    { DATABASE_URL: 'postgres://localhost/x', DATA_DIR: '/data' },
    '/copy',
    'DATABASE_URL is set: back its database up with pg_dump, and then /data/files. This command is for the embedded database.',
  ],
  [
    {
      DATABASE_URL: 'postgres://localhost/x',
      S3_ENDPOINT: 'https://s3.example',
      S3_BUCKET: 'capsules',
    },
    '/copy',
    'DATABASE_URL is set: back its database up with pg_dump, and then the bucket capsules at https://s3.example. This command is for the embedded database.',
  ],
])('what cannot be backed up is one line: %j to %s', async (environment, folder, line) => {
  expect(await backup(environment, folder)).toEqual({
    ok: false,
    line: typeof line === 'string' ? line : expect.stringMatching(line),
  });
});
