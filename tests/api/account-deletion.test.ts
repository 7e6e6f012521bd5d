import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { capsules, emails } from '../../server/db/schema.ts';
import { exportAccount } from '../../server/domain/export/export.ts';
import type { FileStore } from '../../server/files/file-store.ts';
import { createOutboxFolder } from '../../server/mail/outbox-folder.ts';
import { getCapsule } from '../../shared/api/capsules.ts';
import { forgetEmails, visit } from '../support/addresses.ts';
import { capsuleFields, seal } from '../support/capsules.ts';
import { answerOf, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { largeVideo, pdf, photo, sha256 } from '../support/fixtures.ts';
import { secretIn } from '../support/links.ts';
import { rare } from '../support/rare.ts';
import { sharedServer, startTestServer } from '../support/server.ts';
import { storedKeys as keysIn } from '../support/stored-keys.ts';
import { until } from '../support/until.ts';
import { unzip } from '../support/unzip.ts';

const server = sharedServer({ clock: '2029-12-20T12:00:00Z' });

const leave = (person: SignedIn, capsules: string, password = PASSWORD) =>
  person.post('/user/delete-account', { password, capsules });

const storedKeys = () => keysIn(server.deps.config);

describe('deleting an account', () => {
  it('asks for the password', async () => {
    const person = await signUp(server.url, 'Careful');
    const answer = await leave(person, 'destroy', 'wrong');
    expect(answer.json).toMatchObject({ errors: { password: "That isn't your password" } });
    expect((await leave(person, 'perhaps')).status).toBe(400);
    expect((await person.get('/user/me')).status).toBe(200);
  });

  it('leaves no byte when the only recipient, who was invited, refuses what was left to them', async () => {
    const before = await storedKeys();
    const person = await signUp(server.url, 'Giver');
    const email = 'invited@example.com';
    await person.post('/user/invitations', { email });
    const { id } = await seal(person, { user: { email } }, {}, [pdf()]);
    const link = await server.mailedLink(email, '/auth');
    expect((await leave(person, 'deliver')).status).toBe(200);
    expect(await storedKeys()).toHaveLength(before.length + 1);
    const token = secretIn(link, 'invitation');
    const visitor = await visit(server.url);
    expect((await visitor.post('/auth/refuse-invitation', { token })).status).toBe(200);
    await expect.poll(storedKeys).toEqual(before);
    expect(await server.deps.db.$count(capsules, eq(capsules.id, id))).toBe(0);
  });

  it('leaves no row and no byte when everything is to be destroyed', async () => {
    const before = await storedKeys();
    const person = await signUp(server.url, 'Destroyer');
    const friend = await signUp(server.url, 'Friend');
    const { id } = await seal(person, friend, {}, [pdf()]);
    await seal(person, person, {}, [await photo()]);
    expect((await leave(person, 'destroy')).status).toBe(200);
    expect((await friend.get(`/api/capsules/${id}`)).status).toBe(404);
    expect((await person.get('/user/me')).status).toBe(401);
    // Answered after the commit; a job removes the files.
    await expect.poll(storedKeys).toEqual(before);
    // Once its owner was told, that email is gone as well.
    const toThem = () => server.mailer.sent.filter(({ to }) => to === person.user.email);
    await expect.poll(() => toThem().at(-1)?.subject).toBe('Your account was deleted');
    await expect
      .poll(() => server.deps.db.$count(emails, eq(emails.kind, 'account-deleted')))
      .toBe(0);
    for (const table of [
      'capsules',
      'capsule_recipients',
      'capsule_keys',
      'sessions',
      'emails',
      'sendings',
      'notices',
      'users',
    ]) {
      const rows = await server.deps.db.execute(`select * from ${table}`);
      expect(JSON.stringify(rows)).not.toContain(person.user.id);
      expect(JSON.stringify(rows)).not.toContain(person.user.email);
    }
  });

  it('still delivers what was sealed for others, under the name of who left, and nothing else', async () => {
    const person = await signUp(server.url, 'Grandmother');
    const heir = await signUp(server.url, 'Heir');
    const { id } = await seal(person, heir, { notifyRecipient: true }, [pdf()]);
    const own = await seal(person, person);
    expect((await leave(person, 'deliver')).status).toBe(200);
    await forgetEmails(server);
    server.clock.set('2030-01-01T00:00:00Z');
    const capsule = answerOf(getCapsule, await heir.get(`/api/capsules/${id}`));
    expect(capsule).toMatchObject({
      createdBy: 'Grandmother',
      senderEmail: '',
      personalMessage: 'I was here.',
      recipientEmails: [heir.user.email],
    });
    const file = await heir.get(`/api/capsules/download/${capsule.fileInfo[0]?.fileId}`);
    expect(sha256(file.bytes)).toBe(sha256(pdf().bytes));
    expect((await heir.get('/api/capsules/received')).text).toContain('Grandmother');
    expect((await heir.get('/api/capsules/received?query=grandmo')).text).toContain(id);
    expect((await heir.get('/api/capsules/received?query=grandpa')).text).not.toContain(id);
    expect((await heir.get('/api/capsules/dashboard-summary')).status).toBe(200);
    expect((await heir.get(`/api/capsules/${own.id}`)).status).toBe(404);
    server.clock.set('2029-12-20T12:00:00Z');

    // With its last reader gone nobody could ever open it.
    expect((await leave(heir, 'deliver')).status).toBe(200);
    expect(JSON.stringify(await server.deps.db.query.capsules.findMany())).not.toContain(id);
  });
});

rare('what an account has left to others counts for who registers its address again', async () => {
  const { url, deps, close } = await startTestServer({ config: { storageLimitMB: 1 } });
  const friend = await signUp(url, 'Friend');
  const large = pdf('Large.pdf', 'x'.repeat(600_000));
  const sealFor = async (from: SignedIn, to: SignedIn) => {
    const { status, json } = await from.createCapsule(capsuleFields(to), [large]);
    return status === 201 ? 'sealed' : (json as { code: string }).code;
  };
  const first = await signUp(url, 'Refill');
  expect(await sealFor(first, friend)).toBe('sealed');
  expect((await leave(first, 'deliver')).status).toBe(200);
  expect(JSON.stringify(await deps.db.query.capsules.findMany())).not.toContain(first.user.email);

  const second = await signUp(url, 'Refill');
  expect(await sealFor(second, friend)).toBe('STORAGE_LIMIT_REACHED');
  const summary = await second.get('/api/capsules/dashboard-summary');
  expect(summary.json).toMatchObject({ totalCapsules: 0, storageUsed: { totalMB: 0.6 } });
  expect(await sealFor(await signUp(url, 'Neighbour'), friend)).toBe('sealed');
  // With its last reader the capsule goes, and what it counted.
  expect((await leave(friend, 'deliver')).status).toBe(200);
  expect(await sealFor(second, second)).toBe('sealed');
  expect((await leave(second, 'deliver')).status).toBe(200);
  expect(await sealFor(await signUp(url, 'Refill'), first)).toBe('sealed');
  await close();
});

rare(
  'deleting an account removes its emails from the outbox folder, but the one that says so, and no other',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'outbox-'));
    const sender = { from: 'capsules@localhost', host: 'localhost' };
    const { url, close } = await startTestServer({
      deps: { mailer: createOutboxFolder({ folder, sender, log: server.deps.log }) },
    });
    const person = await signUp(url, 'Leaver');
    const friend = await signUp(url, 'Stayer');
    for (const { email } of [person.user, friend.user]) {
      await person.post('/auth/forgot-password', { email });
    }
    const both = await seal(person, friend, {
      dateToUnlock: '2100-01-01',
      notifyRecipient: true,
      recipientEmails: [person.user.email, friend.user.email],
    });
    await until(async () => ((await readdir(folder)).length === 4 ? true : null));
    // The rows of these emails go with their capsule. Their files are still the person's.
    await person.delete(`/api/capsules/${both.id}`);

    expect((await leave(person, 'deliver')).status).toBe(200);
    const names = await until(async () => {
      const all = await readdir(folder);
      // One that is being written has another name.
      return all.length === 3 && all.every((name) => name.endsWith('.eml')) ? all : null;
    });
    for (const name of names) {
      const owner = name.includes('account-deleted') ? person : friend;
      expect(await readFile(join(folder, name), 'utf8')).toContain(`To: ${owner.user.email}`);
    }
    expect(names.filter((name) => name.includes('account-deleted'))).toHaveLength(1);
    await close();
    await rm(folder, { recursive: true });
  },
);

describe('an export', () => {
  it('holds what has opened, byte for byte, and of the rest only the outside [35.keepsake.1]', async () => {
    const person = await signUp(server.url, 'Archivist');
    const friend = await signUp(server.url, 'Sender');
    const picture = await photo('../Grandma: "at the lake".jpg');
    await seal(friend, person, { personalMessage: 'open-canary' }, [picture]);
    await seal(person, friend, { dateToUnlock: '2031-01-01', personalMessage: 'locked-canary' }, [
      pdf('locked-name.pdf'),
    ]);
    server.clock.set('2030-01-01T00:00:00Z');
    const answer = await person.get('/user/export');
    expect(answer.headers.get('content-type')).toBe('application/zip');
    const entries = await unzip(answer.bytes);
    const json = String(entries.get('time-capsule.json'));
    const page = String(entries.get('index.html'));
    expect(json).toContain('open-canary');
    expect(page).toContain('open-canary');
    expect([...entries.keys()].join() + json + page).not.toMatch(/locked-(canary|name)/);
    const { files } = JSON.parse(json) as { files: { path: string; sha256: string }[] };
    expect(files).toHaveLength(1);
    for (const file of files) {
      expect(sha256(entries.get(file.path) ?? Buffer.alloc(0))).toBe(file.sha256);
      expect(file.sha256).toBe(sha256(picture.bytes));
    }
    server.clock.set('2029-12-20T12:00:00Z');
  });

  it('is read by the program that was written from its description [35.keepsake.5]', async () => {
    const person = await signUp(server.url, 'Reader');
    await seal(person, person, { title: 'For later' }, [await photo(), pdf()]);
    server.clock.set('2030-01-01T00:00:00Z');
    const folder = await mkdtemp(join(tmpdir(), 'export-'));
    const path = join(folder, 'archive.zip');
    await writeFile(path, (await person.get('/user/export')).bytes);
    const said = execFileSync(process.execPath, ['scripts/read-keepsake.mjs', path]);
    expect(String(said)).toMatch(/opened 2030-01-01 {2}For later[\s\S]*Whole: 2 files match\./);
    await rm(folder, { recursive: true });
    server.clock.set('2029-12-20T12:00:00Z');
  });

  it('opens no file for a HEAD', async () => {
    const person = await signUp(server.url, 'Curious');
    await seal(person, person, {}, [pdf()]);
    server.clock.set('2030-01-01T00:00:00Z');
    const { files } = server.deps;
    const { read } = files;
    let reads = 0;
    files.read = (...given) => {
      reads += 1;
      return read(...given);
    };
    const head = await person.request('HEAD', '/user/export');
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/zip']);
    // What the HEAD might have opened is opened before what comes after it.
    expect([...(await unzip((await person.get('/user/export')).bytes)).keys()]).toEqual([
      expect.stringMatching(/^files\//),
      'index.html',
      'README.txt',
      'time-capsule.json',
    ]);
    files.read = read;
    expect(reads).toBe(1);
    server.clock.set('2029-12-20T12:00:00Z');
  });

  it('that nobody waits for any more lets go of the file it was reading', async () => {
    const person = await signUp(server.url, 'Impatient');
    const picture = {
      name: 'steps.mp4',
      type: 'video/mp4',
      bytes: await buffer(largeVideo(8_000_000)),
    };
    await seal(person, person, {}, [picture]);
    server.clock.set('2030-01-01T00:00:00Z');
    const opened: Readable[] = [];
    const files: FileStore = {
      ...server.deps.files,
      async read(key, range) {
        const stored = await server.deps.files.read(key, range);
        if (stored) opened.push(stored.stream);
        return stored;
      },
    };
    const archive = await exportAccount({ ...server.deps, files }, { userId: person.user.id });
    archive.read(0);
    const stream = await until(() => opened[0] ?? null);
    archive.destroy();
    await until(() => (stream.destroyed ? true : null));
    server.clock.set('2029-12-20T12:00:00Z');
  });
});
