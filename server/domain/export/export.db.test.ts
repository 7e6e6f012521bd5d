import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, it, vi } from 'vitest';
import { type Person, sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { createMemoryStore } from '../../../tests/support/memory-store.ts';
import { unzip, unzipForward } from '../../../tests/support/unzip.ts';
import { AppError } from '../../app-error.ts';
import { findContents } from '../../db/capsules/capsules.ts';
import { discardDraft, writeDraft } from '../../db/drafts/drafts.ts';
import { blocks, capsuleFiles, invitations, uploads } from '../../db/schema.ts';
import type { FileStore } from '../../files/file-store.ts';
import { exportAccount } from './export.ts';

vi.mock('../../db/capsules/capsules.ts', async (original) => {
  const real = await original<typeof import('../../db/capsules/capsules.ts')>();
  return { ...real, findContents: vi.fn(real.findContents) };
});

const { database, world } = sharedMailWorld();
let ada: Person;
let files: FileStore;
beforeEach(async () => {
  ada = await world.addPerson('Ada');
  files = createMemoryStore();
});

const OPEN = { unlockAt: new Date('2030-01-01T00:00:00Z') };

/** An open capsule with these files, by name; each holds its name. */
async function addOpen(names: string[]): Promise<void> {
  const { id: capsuleId } = await world.addCapsule(ada, [ada], OPEN);
  for (const [position, name] of names.entries()) {
    const storageKey = `capsules/${randomUUID()}`;
    const stored = await files.write(storageKey, Readable.from([Buffer.from(name)]));
    const row = { id: randomUUID(), capsuleId, position, name, type: 'application/pdf' };
    await database.db.insert(capsuleFiles).values({ ...row, storageKey, ...stored });
  }
}

/** Gives the beginning of a file, and then fails. */
function breakingOff() {
  async function* pieces() {
    yield Buffer.from('3.p');
    throw new Error('i/o error');
  }
  return { stream: Readable.from(pieces()), bytes: 5 };
}

async function unpacked(read: FileStore['read'] = files.read) {
  const deps = { ...world.deps, files: { ...files, read } };
  const entries = await unzip(await buffer(await exportAccount(deps, { userId: ada.id })));
  const json = JSON.parse(String(entries.get('time-capsule.json')));
  const page = String(entries.get('index.html'));
  const contents = [...entries].map(([path, bytes]) => [path.slice(-5), String(bytes)]);
  return { json, page, contents: Object.fromEntries(contents), paths: [...entries.keys()] };
}

it('never asks for more than a page of messages, and has them all', async () => {
  for (let index = 0; index < 120; index += 1) await world.addCapsule(ada, [ada], OPEN);
  await world.addCapsule(ada, [ada]);
  vi.mocked(findContents).mockClear();
  const { json } = await unpacked();
  const asked = vi.mocked(findContents).mock.calls.map(([, ids]) => ids.length);
  expect(Math.max(...asked)).toBeLessThanOrEqual(50);
  const messages = (of: { personalMessage: string | null }[]) =>
    of.filter(({ personalMessage }) => personalMessage === 'CANARY-MESSAGE').length;
  expect([json.created.length, messages(json.created)]).toEqual([121, 120]);
  expect([json.received.length, messages(json.received)]).toEqual([121, 120]);
});

it('names each file so that every file system takes it, whole characters of its end', async () => {
  await addOpen([`${'湖'.repeat(120)}.pdf`, `${'🛶'.repeat(70)}.mp4`]);
  const names = (await unpacked()).paths.map((path) => path.split('/').at(-1) ?? '');
  const long = names.filter((name) => /湖|🛶/u.test(name));
  expect(long).toHaveLength(2);
  for (const name of long) {
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(name).toMatch(/^\d\d (湖{70,}\.pdf|(🛶){38,}\.mp4)$/u);
  }
});

it('puts files into folders that people know', async () => {
  ada = await world.addPerson('Ada Folders');
  await addOpen(['1.pdf']);
  const { paths } = await unpacked();
  expect(paths[0]).toMatch(/^files\/001 2030-05-05 For later\/01 1\.pdf$/);
});

it('holds up no other one while nobody reads it', async () => {
  await addOpen(['1.pdf']);
  const ben = await world.addPerson('Ben');
  const unread = await exportAccount({ ...world.deps, files }, { userId: ben.id });
  await new Promise((resolve) => unread.once('readable', resolve));
  expect((await unpacked()).contents['1.pdf']).toBe('1.pdf');
  unread.destroy();
});

it('breaks off when the store goes away before its turn, and nothing else does', async () => {
  await addOpen(['1.pdf']);
  let answer = (_missing: null) => {};
  const silent = vi.fn(() => new Promise<null>((resolve) => (answer = resolve)));
  const first = unpacked(silent);
  await expect.poll(() => silent.mock.calls.length).toBe(1);
  const isAway = vi.fn(async () => {
    throw new AppError('UNAVAILABLE');
  });
  const second = expect(unpacked(isAway)).rejects.toThrow(AppError);
  await expect.poll(() => isAway.mock.calls.length).toBe(1);
  // An error that nobody hears ends the process within these turns of its loop.
  for (let turns = 0; turns < 10; turns += 1) await nextTurn();
  answer(null);
  await Promise.all([first, second]);
});

it('leaves no file open when its reader has gone before the first byte', async () => {
  await addOpen(['1.pdf']);
  const opened: Readable[] = [];
  const watched = {
    ...files,
    read: async (...asked: Parameters<typeof files.read>) => {
      const found = await files.read(...asked);
      // One that never ends by itself, as a large file that waits for its reader.
      const stream = new Readable({ read() {} });
      opened.push(stream);
      return found && { ...found, stream };
    },
  };
  const unread = await exportAccount({ ...world.deps, files: watched }, { userId: ada.id });
  await expect.poll(() => opened.length).toBe(1);
  unread.destroy();
  await expect.poll(() => opened[0]?.destroyed).toBe(true);
});

it('can be unpacked from its beginning, by programs that never look at its end', async () => {
  await addOpen(['1.pdf', '2.pdf']);
  const archive = await buffer(await exportAccount({ ...world.deps, files }, { userId: ada.id }));
  expect(unzipForward(archive)).toEqual(await unzip(archive));
});

it('holds the picture of the person, and says where it is', async () => {
  expect((await unpacked()).json.account.picture).toBeNull();
  const avatarKey = `avatars/${randomUUID()}`;
  ada = await world.addPerson('Ada', { avatarKey });
  // Its file is not there.
  expect((await unpacked()).json.account.picture).toBeNull();
  await files.write(avatarKey, Readable.from([Buffer.from('a face')]));
  const { json, contents } = await unpacked();
  expect(json.account.picture).toBe('picture.webp');
  expect(contents['.webp']).toBe('a face');
  const unreadable = async () => breakingOff();
  expect((await unpacked(unreadable)).json.account.picture).toBeNull();
});

it('lists whom they have invited, without the address once it is not theirs to know', async () => {
  const rose = await world.addPerson('Rose', { passwordHash: null });
  const invited = { inviterId: ada.id, createdAt: world.deps.clock.now() };
  await database.db.insert(invitations).values([
    { ...invited, id: randomUUID(), userId: rose.id, addressHash: 'of Rose', name: 'Grandma' },
    { ...invited, id: randomUUID(), userId: null, addressHash: 'of who refused', name: null },
  ]);
  const invitedAt = invited.createdAt.toISOString();
  const { json } = await unpacked();
  expect(json.invitations).toHaveLength(2);
  expect(json.invitations).toEqual(
    expect.arrayContaining([
      { email: rose.email, name: 'Grandma', invitedAt },
      { email: null, name: null, invitedAt },
    ]),
  );
});

it('lists whom they have blocked, and nobody of those who have blocked them', async () => {
  const [mallory, tim] = [await world.addPerson('Mallory'), await world.addPerson('Tim')];
  const createdAt = world.deps.clock.now();
  await database.db.insert(blocks).values([
    { userId: ada.id, blockedId: mallory.id, createdAt },
    { userId: tim.id, blockedId: ada.id, createdAt },
  ]);
  const { json } = await unpacked();
  const { id, name, email } = mallory;
  expect(json.blocked).toEqual([{ id, name, email, blockedAt: createdAt.toISOString() }]);
});

it('holds drafts with the files that have arrived, beside the book', async () => {
  const id = randomUUID();
  const storageKey = `capsules/${id}`;
  const stored = await files.write(storageKey, Readable.from(['a photo']));
  const fields = {
    title: 'For Mia',
    description: '',
    personalMessage: 'Dear Mia, \ud800',
    recipients: [{ id: 'x', name: 'Mia', email: 'mia@example.org', avatar: '', isYou: false }],
    dateToUnlock: '2040-01-02',
    notifyRecipient: true,
  };
  const content = {
    fields,
    files: [
      { id, name: '1.pdf', type: 'application/pdf', bytes: 7 },
      { id: randomUUID(), name: 'elsewhere.pdf', type: 'application/pdf', bytes: 7 },
    ],
    // As a server of before has stored it.
    otherVersions: [
      { id: 1, fields: { personalMessage: 'Hello Mia' }, writtenOn: '', writtenAt: '' },
    ],
  };
  const name = { userId: ada.id, id: randomUUID() };
  const writtenAt = world.deps.clock.now();
  const writing = { writtenOn: '', writtenAt };
  await writeDraft(
    database.db,
    name,
    { content: JSON.stringify(content), title: '', recipientNames: [], dateToUnlock: '' },
    writing,
  );
  const gone = { userId: ada.id, id: randomUUID() };
  await writeDraft(
    database.db,
    gone,
    { content: JSON.stringify(content), title: '', recipientNames: [], dateToUnlock: '' },
    writing,
  );
  await discardDraft(database.db, gone, writing);
  await database.db.insert(uploads).values({
    ...stored,
    ...{ id, userId: ada.id, name: '1.pdf', received: 7, type: 'application/pdf', storageKey },
    ...{ draftId: name.id, createdAt: writtenAt, touchedAt: writtenAt },
  });
  const { json, page, contents, paths } = await unpacked();
  expect(paths[0]).toBe('files/draft 001 For Mia/01 1.pdf');
  expect(contents['1.pdf']).toBe('a photo');
  expect(json.files).toMatchObject([{ path: paths[0], fileId: id, sha256: stored.sha256 }]);
  expect(json.drafts).toEqual([
    {
      ...fields,
      personalMessage: `${fields.personalMessage}\n\nHello Mia`,
      id: name.id,
      createdAt: writtenAt.toISOString(),
      changedAt: writtenAt.toISOString(),
      recipients: [{ name: 'Mia', email: 'mia@example.org' }],
      fileInfo: content.files.map((file) => ({
        fileId: file.id,
        fileName: file.name,
        bytes: 7,
      })),
      contributions: 0,
    },
  ]);
  expect(page).toMatch(/Not sealed yet[\s\S]*For Mia[\s\S]*2 January 2040[\s\S]*Dear Mia/);
  expect(page).toContain('Hello Mia');
  expect(page).toContain(
    "<bdi>elsewhere.pdf</bdi> hadn't arrived from its device when this was made.",
  );

  // Written on while it is packed: what is packed keeps its place, and what is not has none.
  const [upload] = await database.db.select().from(uploads).where(eq(uploads.id, id));
  const other = { ...content.files[0], id: randomUUID(), name: '2.pdf' };
  const writeOn = async () => {
    const changed = { fields: { ...fields, title: 'For Tim' }, files: [other, ...content.files] };
    const written = { title: '', recipientNames: [], dateToUnlock: '' };
    await writeDraft(
      database.db,
      name,
      { ...written, content: JSON.stringify({ ...changed, otherVersions: [] }) },
      writing,
    );
    const added = { ...upload, id: other.id, storageKey: `capsules/${other.id}`, name: '2.pdf' };
    await database.db.insert(uploads).values(added as typeof uploads.$inferInsert);
    return files.read(storageKey);
  };
  const later = await unpacked(writeOn);
  expect(later.json.files).toMatchObject([{ path: paths[0], fileId: id }]);
  expect(later.page).toContain('For Tim');
  expect(later.page).toContain('href="files/draft%20001%20For%20Mia/01%201.pdf"');
  const late = "<bdi>2.pdf</bdi> hadn't arrived from its device when this was made.";
  expect(later.page).toContain(late);
});

it('goes on behind a file that is gone, has changed or breaks off, and says at its end what is lost', async () => {
  await addOpen(['1.pdf', '2.pdf', '3.pdf', '4.pdf', '5.pdf']);
  const rows = await database.db.select().from(capsuleFiles);
  const keyOf = (name: string) => rows.findLast((row) => row.name === name)?.storageKey;
  const read: FileStore['read'] = async (key) => {
    if (key === keyOf('1.pdf')) return null;
    if (key === keyOf('2.pdf')) throw new Error('i/o error');
    if (key === keyOf('5.pdf')) return { stream: Readable.from([Buffer.from('5.pdF')]), bytes: 5 };
    return key === keyOf('3.pdf') ? breakingOff() : files.read(key);
  };
  const { json, page, contents, paths } = await unpacked(read);
  expect(contents).toMatchObject({ '3.pdf': '3.p', '4.pdf': '4.pdf', '5.pdf': '5.pdF' });
  expect(paths.at(-1)).toBe('time-capsule.json');
  expect(json.files).toHaveLength(5);
  expect(json.lost).toMatchObject([
    { fileName: '1.pdf', why: 'missing' },
    { fileName: '2.pdf', why: 'damaged' },
    { fileName: '3.pdf', why: 'damaged' },
    { fileName: '5.pdf', why: 'damaged' },
  ]);
  expect(page).toContain('4 files are missing or damaged.');
  expect(
    [...page.matchAll(/<bdi>(\d\.pdf)<\/bdi> was (\w+)/g)].map(([, name, why]) => `${name} ${why}`),
  ).toEqual(['1.pdf missing', '2.pdf damaged', '3.pdf damaged', '5.pdf damaged']);
});

it('tells on its page what has opened, in the order of the days, and of the rest the outside', async () => {
  const add = (title: string, unlockAt: string) =>
    world.addCapsule(ada, [ada], { title, unlockAt: new Date(unlockAt) });
  await add('Last', '2031-01-01T00:00:00Z');
  await add('Second', '2030-01-01T00:00:00Z');
  await add('First', '2028-01-01T00:00:00Z');
  await add('Third', '2030-05-05T00:00:00Z');
  const { page } = await unpacked();
  const titles = [...page.matchAll(/<h[23] dir="auto">(\w+)</g)].map(([, title]) => title);
  expect(titles).toEqual(['First', 'Second', 'Third', 'Last']);
  expect(page.match(/CANARY-MESSAGE/g)).toHaveLength(2);
  expect(page.indexOf('CANARY-MESSAGE', page.indexOf('Still sealed</h2>'))).toBe(-1);
});

it('breaks off while the store is away: without any file it would look whole', async () => {
  await addOpen(['1.pdf']);
  const away = () => Promise.reject(new AppError('UNAVAILABLE'));
  await expect(unpacked(away)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
