import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleId, sampleItem } from '../../tests/support/sample-capsule.ts';
import { attach } from './attach.support.ts';
import { sweepFiles } from './attachments.ts';
import { CONTRIBUTORS, readContribution } from './contributions.ts';
import {
  closeDatabase,
  db,
  eraseDatabase,
  openDatabase,
  openedUserId,
  type PageStorage,
  troubleOf,
} from './database.ts';
import { databaseName } from './device.ts';
import { readDraft, readDrafts, saveDraft } from './drafts.ts';
import { enqueue } from './outbox.ts';
import { EMPTY_DRAFT } from './tables.ts';

const [ada, bob] = [sampleId(101), sampleId(102)];
const fields = { ...EMPTY_DRAFT, title: 'A secret' };
const draft = { id: sampleId(1), fields, files: [], updatedAt: 0 };
const closed = { name: 'DatabaseClosedError' };

const WHO = { writtenOn: 'Chrome on Android', writtenAt: '2026-06-14T20:00:00Z' };
const troubles: string[] = [];
const page: PageStorage = {
  onNewer: () => void troubles.push('newer'),
  onDeleted: () => void troubles.push('deleted'),
  beforeUpgrade: async () => {
    await saveDraft({ ...draft, fields: { ...EMPTY_DRAFT, title: 'Typed last' }, updatedAt: 1 });
  },
};

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

beforeEach(async () => {
  closeDatabase();
  troubles.length = 0;
  for (const { name } of await indexedDB.databases()) if (name) await Dexie.delete(name);
});

it('is nobody’s until somebody has signed in', async () => {
  await expect(saveDraft(draft)).rejects.toMatchObject(closed);
  expect(openedUserId()).toBeNull();
});

it('of one person holds nothing of another, and finds everything again', async () => {
  await openDatabase(ada);
  await saveDraft(draft);
  await openDatabase(bob);
  expect(await readDrafts()).toEqual([]);
  await openDatabase(ada);
  expect(await readDraft(draft.id)).toEqual(draft);
});

it('that two ask for at once is opened once, and the last person asked for has theirs', async () => {
  const first = openDatabase(ada);
  expect(openDatabase(ada)).toBe(first);
  await Promise.all([first.catch(() => undefined), openDatabase(bob)]);
  expect([openedUserId(), db.name]).toEqual([bob, databaseName(bob)]);
});

it('takes over what somebody adds, which was a draft once', async () => {
  const former = new Dexie(databaseName(CONTRIBUTORS));
  former.version(3).stores({ drafts: 'id', outbox: 'id', goneDrafts: 'id', draftSync: 'key' });
  former.version(3).stores({ attachments: 'id, capsuleId', chunks: '[attachmentId+index]' });
  const written = { ...EMPTY_DRAFT, title: 'Grandpa Karl', personalMessage: 'My blessing' };
  const [id, other, film] = [sampleId(1), sampleId(2), sampleId(3)];
  const named = { id: film, name: 'film.mp4', type: 'video/mp4', bytes: 3 };
  const adding = { token: 'token', secret: 'secret', organiser: 'Anna', title: 'For Mia' };
  const content = { fields: written, files: [] };
  const account = { revision: 2, content, sent: { ...content, files: [named] }, sentAt: 7 };
  const begun = { fields: written, updatedAt: 8, adding };
  const state = { thumbnail: null, complete: true, announced: true, lastModified: 1 };
  await former.table('drafts').bulkPut([
    { ...begun, id, account: { ...account, refusal: 'No room.' } },
    { ...begun, id: other, onlyHere: true },
    { ...begun, id: sampleId(4), onlyHere: true, adding: { ...adding, isTakenBack: true } },
    { ...begun, id: sampleId(5), onlyHere: true, adding: { ...adding, outcome: 'sealed' } },
    { ...begun, id: sampleId(6), account: { revision: 0, content } },
  ]);
  await former.table('attachments').put({ ...named, ...state, capsuleId: id, addedAt: 1 });
  await former.table('chunks').put({ attachmentId: film, index: 0, bytes: null });
  former.close();
  await openDatabase(CONTRIBUTORS);
  expect(await db.drafts.count()).toBe(0);
  const fields = { name: 'Grandpa Karl', letter: 'My blessing' };
  const asked = { organiser: 'Anna', title: 'For Mia' };
  const row = { fields, files: [], updatedAt: 8, token: 'token', secret: 'secret', asked };
  const known = { ...fields, files: [], revision: 2 };
  const sent = { ...fields, files: [named] };
  expect(await db.contributions.toArray()).toEqual([
    { ...row, id, files: [film], state: 'given', known, sent, sentAt: 7 },
    { ...row, id: other, state: 'writing' },
    { ...row, id: sampleId(4), state: 'taken-back' },
    { ...row, id: sampleId(5), state: 'sealed' },
    { ...row, id: sampleId(6), state: 'given' },
  ]);
  expect((await readContribution(id))?.files).toMatchObject([named]);
  expect(await db.chunks.count()).toBe(1);
});

it('puts other versions of a text behind it, once, as the account does', async () => {
  const former = new Dexie(databaseName(ada));
  former.version(3).stores({ drafts: 'id', outbox: 'id', goneDrafts: 'id', attachments: 'id' });
  const otherVersions = [{ id: 7, fields: { title: 'A secret', description: 'Cold' }, ...WHO }];
  const content = { fields: { ...draft.fields, description: 'Warm' }, files: [], otherVersions };
  const account = { revision: 8, content };
  const discarded = { revision: 8, content, sent: content, writeId: sampleId(9) };
  const row = { ...draft, fields: content.fields, otherVersions, account };
  await former.table('drafts').put(row);
  await former.table('outbox').put({ ...sampleItem(2), account });
  await former.table('goneDrafts').put({ id: sampleId(3), discarded, fields: {}, goneAt: 0 });
  former.close();
  await openDatabase(ada);
  const fields = { ...draft.fields, description: 'Warm\n\nCold' };
  const now = { revision: 8, content: { fields, files: [] } };
  expect(await readDraft(draft.id)).toEqual({ ...draft, fields, account: now });
  expect(await db.outbox.toArray()).toEqual([{ ...sampleItem(2), account: now }]);
  expect(await db.goneDrafts.toArray()).toMatchObject([
    { discarded: { ...now, unanswered: { id: sampleId(9), content: now.content } } },
  ]);
});

it.each([3, 4])('of version %i has its files in their order, with their bytes', async (version) => {
  const former = new Dexie(databaseName(ada));
  const tables = { drafts: 'id', outbox: 'id', goneDrafts: 'id', attachments: 'id, capsuleId' };
  former.version(version).stores({ ...tables, chunks: '[attachmentId+index]' });
  const { files: _, ...rest } = draft;
  const row = { ...rest, queuedFiles: [{ id: sampleId(5) }], movedFrom: sampleId(9) };
  const file = (n: number, of: string) => ({ id: sampleId(n), capsuleId: of, addedAt: 9 - n });
  await former.table('drafts').put(row);
  const item = sampleItem(2);
  await former.table('outbox').put({ ...item, files: undefined, fileCount: 2 });
  const files = [file(5, item.id), file(6, draft.id), file(7, draft.id), file(8, sampleId(3))];
  for (const each of files) {
    await former.table('attachments').put(each);
    await former.table('chunks').put({ attachmentId: each.id, index: 0 });
  }
  former.close();
  await openDatabase(ada);
  await sweepFiles();
  // With one that waits in the outbox under another id, and nothing else of before.
  expect(await readDraft(draft.id)).toEqual({ ...draft, files: [7, 6, 5].map(sampleId) });
  // One that had got lost is still missed when the capsule is sent.
  const [queued] = await db.outbox.toArray();
  expect([queued?.files.length, queued?.files[0]]).toEqual([2, sampleId(5)]);
  expect(await db.attachments.get(sampleId(5))).toEqual({ id: sampleId(5) });
  // What nothing named goes.
  const left = (await db.chunks.toArray()).map(({ attachmentId }) => attachmentId);
  expect(left).toEqual([5, 6, 7].map(sampleId));
});

describe('after a sign-out', () => {
  beforeEach(async () => {
    await openDatabase(ada);
    await saveDraft(draft);
    await attach(draft.id, new File(['abc'], 'a.png'));
    await db.outbox.put(sampleItem(2));
  });

  it('nothing of the person is left, not even the database', async () => {
    expect(await eraseDatabase()).toBe(true);
    expect(await indexedDB.databases()).toEqual([]);
  });

  it('nothing is brought back by what still types, copies or seals here', async () => {
    const half = new File([new Uint8Array(4_194_305)], 'film.mp4');
    const copy = attach(draft.id, half, { onProgress: () => void eraseDatabase() });
    await expect(copy).rejects.toThrow();
    await expect(saveDraft(draft)).rejects.toMatchObject(closed);
    await expect(enqueue(draft, 'UTC', 0)).rejects.toMatchObject(closed);
    await expect.poll(() => indexedDB.databases()).toEqual([]);
  });

  it('rows are gone even while a sleeping tab holds up the deletion', async () => {
    const sleeping = await settled(indexedDB.open(databaseName(ada)));
    expect(await eraseDatabase()).toBe(false);
    const reading = sleeping.transaction(['drafts', 'outbox', 'chunks']);
    const counts = ['drafts', 'outbox', 'chunks'].map((name) =>
      settled(reading.objectStore(name).count()),
    );
    expect(await Promise.all(counts)).toEqual([0, 0, 0]);
    sleeping.close();
  });
});

describe('in trouble', () => {
  it('it is not opened where a newer version has changed the tables', async () => {
    (await settled(indexedDB.open(databaseName(ada), 60))).close();
    const error = await openDatabase(ada, page).catch((thrown) => thrown);
    expect(troubleOf(error)).toBe('newer');
    expect(openedUserId()).toBeNull();
  });

  it('an older page saves what is typed, then makes way for a newer version', async () => {
    await openDatabase(ada, page);
    const newer = indexedDB.open(databaseName(ada), 60);
    newer.onupgradeneeded = () => newer.result.createObjectStore('of-the-future');
    const database = await settled(newer);
    const titles = await settled(database.transaction('drafts').objectStore('drafts').getAll());
    expect(titles).toMatchObject([{ fields: { title: 'Typed last' } }]);
    database.close();
    await expect.poll(() => troubles).toEqual(['newer']);
    await expect(saveDraft(draft)).rejects.toMatchObject(closed);
  });

  it('a worker lets go of it for good where a newer version changes the tables', async () => {
    await openDatabase(ada);
    const newer = indexedDB.open(databaseName(ada), 60);
    const database = await settled(newer);
    database.close();
    await expect(saveDraft(draft)).rejects.toMatchObject(closed);
    expect(troubleOf(await openDatabase(ada).catch((thrown) => thrown))).toBe('newer');
  });

  it('it is not opened where the browser refuses, and opened once it does not any more', async () => {
    const { open } = indexedDB;
    indexedDB.open = () => {
      throw new DOMException('Denied', 'SecurityError');
    };
    const error = await openDatabase(ada, page).catch((thrown) => thrown);
    indexedDB.open = open;
    expect(troubleOf(error)).toBe('unavailable');
    await openDatabase(ada, page);
    expect(openedUserId()).toBe(ada);
  });

  it('a page hears that its database was deleted, and writes nothing into a new one', async () => {
    await openDatabase(ada, page);
    await settled(indexedDB.deleteDatabase(databaseName(ada)));
    expect(troubles).toEqual(['deleted']);
    await expect(saveDraft(draft)).rejects.toMatchObject(closed);
  });
});
