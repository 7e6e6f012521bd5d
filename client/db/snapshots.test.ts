import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { restOf } from '../../shared/api/drafts.ts';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { db, openDatabase } from './database.ts';
import { restoreDrafts } from './draft-snapshots.ts';
import { receiveDrafts } from './draft-sync.ts';
import { readDraft, readDrafts, saveDraft } from './drafts.ts';
import { removeSnapshotsOf, snapshotIds, writeSnapshot } from './snapshots.ts';
import { EMPTY_DRAFT } from './tables.ts';

const ada = sampleId(101);
const id = sampleId(1);
const snapshot = { userId: ada, fields: { title: 'Last keys' }, isNew: false, takenAt: 20 };

/** As much of localStorage as is used: its names are its own properties. */
class Storage {
  [name: string]: unknown;
  getItem(name: string) {
    return this[name] ?? null;
  }
  setItem(name: string, value: string) {
    this[name] = value;
  }
  removeItem(name: string) {
    delete this[name];
  }
}

beforeEach(async () => {
  vi.stubGlobal('localStorage', new Storage());
  await openDatabase(ada);
  await Promise.all(db.tables.map((table) => table.clear()));
});

async function restored(updatedAt: number | null): Promise<unknown> {
  const fields = { ...EMPTY_DRAFT, title: 'Before', description: 'Cold' };
  if (updatedAt !== null) await saveDraft({ id, fields, updatedAt });
  await restoreDrafts(ada);
  const { title, description } = (await readDraft(id))?.fields ?? {};
  return title && { title, description };
}

it('go into a draft that is older than they are', async () => {
  writeSnapshot(id, snapshot);
  expect(await restored(10)).toEqual({ title: 'Last keys', description: 'Cold' });
  expect(snapshotIds()).toEqual([]);
});

it('are dropped where another tab has written since', async () => {
  writeSnapshot(id, snapshot);
  expect(await restored(30)).toEqual({ title: 'Before', description: 'Cold' });
  expect(snapshotIds()).toEqual([]);
});

it('begin a draft that was never written, and do not bring back one that is gone', async () => {
  writeSnapshot(id, snapshot);
  expect(await restored(null)).toBeUndefined();
  writeSnapshot(id, { ...snapshot, isNew: true });
  expect(await restored(null)).toEqual({ title: 'Last keys', description: '' });
});

it('wait for their person', async () => {
  writeSnapshot(id, { ...snapshot, userId: sampleId(102) });
  expect(await restored(10)).toEqual({ title: 'Before', description: 'Cold' });
  expect(snapshotIds()).toEqual([id]);
});

it('go with their person, and with nobody else', () => {
  writeSnapshot(id, snapshot);
  writeSnapshot(sampleId(2), { ...snapshot, userId: sampleId(102) });
  removeSnapshotsOf(ada);
  expect(snapshotIds()).toEqual([sampleId(2)]);
});

it('come together with the words of another device, whatever the time', async () => {
  const there = (revision: number, description: string) => ({
    ...{ id, revision, gone: null, arrived: [] },
    ...{ writtenOn: 'Chrome on Android', writtenAt: '2026-06-14T20:00:00.000Z' },
    content: { fields: { ...EMPTY_DRAFT, description }, files: [] },
  });
  await receiveDrafts(ada, [there(1, 'Lake')]);
  const fields = { description: 'Last keys' };
  writeSnapshot(id, { ...snapshot, fields, base: { description: 'Lake' } });
  await receiveDrafts(ada, [there(2, 'Como')]);
  await restoreDrafts(ada);
  expect(await readDraft(id)).toMatchObject({
    fields: { description: 'Como Last keys' },
  });
});

it('follow what was being written when the page went, where that has ended', async () => {
  const last = { ...snapshot, fields: { title: 'Last keys' }, base: { title: '' } };
  writeSnapshot(id, { ...last, written: { title: 'Last ke' } });
  await saveDraft({ id, fields: { ...EMPTY_DRAFT, title: 'Last ke' }, updatedAt: 30 });
  await restoreDrafts(ada);
  expect(await readDraft(id)).toMatchObject({ fields: { title: 'Last keys' } });
});

it('go on with what the account has kept where another device has sealed what they belong to', async () => {
  const who = { writtenOn: '', writtenAt: '2026-06-14T20:00:00.000Z', arrived: [] };
  const content = { fields: { ...EMPTY_DRAFT, title: 'Lake' }, files: [] };
  await receiveDrafts(ada, [{ id, revision: 1, ...who, content, gone: null }]);
  writeSnapshot(id, { ...snapshot, base: { title: 'Lake' } });
  await receiveDrafts(ada, [{ id, revision: 2, ...who, content: null, gone: 'sealed' }]);
  await restoreDrafts(ada);
  expect(await readDrafts()).toMatchObject([{ id: restOf(id), fields: { title: 'Last keys' } }]);
});
