import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { db, openDatabase } from './database.ts';
import {
  removeSnapshotsOf,
  restoreSnapshots,
  snapshotIds,
  writeSnapshot,
} from './draft-snapshots.ts';
import { EMPTY_DRAFT, readDraft, saveDraft } from './drafts.ts';

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
afterEach(() => vi.unstubAllGlobals());

async function restored(updatedAt: number | null): Promise<unknown> {
  const fields = { ...EMPTY_DRAFT, title: 'Before', description: 'Cold' };
  if (updatedAt !== null) await saveDraft({ id, fields, updatedAt });
  await restoreSnapshots(ada);
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
