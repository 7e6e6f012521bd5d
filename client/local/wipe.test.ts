import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleId, sampleItem, sampleUser } from '../../tests/support/sample-capsule.ts';
import { db } from './db.ts';
import { EMPTY_DRAFT, saveDraft } from './drafts.ts';
import { keepFile } from './keep-file.ts';
import { enqueue } from './outbox.ts';
import { claimDevice, readOwner, releaseDevice } from './owner.ts';
import { clearPendingSignOut, readPendingSignOut } from './pending-sign-out.ts';
import { wipeDevice } from './wipe.ts';

const ada = sampleId(101);
const bob = sampleId(102);
const draft = { owner: ada, id: sampleId(1), fields: EMPTY_DRAFT, updatedAt: 0 };

async function rowCount(): Promise<number> {
  const counts = await Promise.all(db.tables.map((table) => table.count()));
  return counts.reduce((sum, count) => sum + count, 0);
}

beforeEach(async () => {
  await Promise.all(db.tables.map((table) => table.clear()));
  await claimDevice(sampleUser(101, 'Ada'), 0);
  await saveDraft(draft);
  await keepFile(ada, draft.id, new File(['abc'], 'a.png'));
  await db.outbox.put(sampleItem(2));
  await db.abandoned.put({ owner: ada, id: sampleId(7) });
});

describe('a person who has signed out', () => {
  it('leaves no row', async () => {
    await wipeDevice();
    expect(await rowCount()).toBe(0);
    expect(await readPendingSignOut()).toBeNull();
  });

  it('takes along only their own unfinished work', async () => {
    await db.drafts.put({ ...draft, owner: bob });
    await wipeDevice();
    expect(await db.drafts.toArray()).toEqual([{ ...draft, owner: bob }]);
  });

  it('leaves without a connection only the mark that their session is to be ended', async () => {
    await wipeDevice('token');
    expect(await rowCount()).toBe(1);
    expect(await readPendingSignOut()).toBe('token');
    await clearPendingSignOut();
    expect(await readPendingSignOut()).toBeNull();
  });

  it('is not brought back by a tab that still types, copies, seals or asks who this is', async () => {
    await wipeDevice('token');
    await saveDraft(draft);
    await expect(keepFile(ada, draft.id, new File(['abc'], 'a.png'))).rejects.toThrow();
    await expect(enqueue(draft, 'UTC', 0)).rejects.toThrow();
    await claimDevice(sampleUser(101, 'Ada'), 0, ada);
    await clearPendingSignOut();
    await claimDevice(sampleUser(101, 'Ada'), 0, ada);
    expect(await rowCount()).toBe(0);
  });

  it('is not brought back by a copy that was under way', async () => {
    const half = new File([new Uint8Array(4_194_305)], 'film.mp4');
    const copy = keepFile(ada, draft.id, half, { onProgress: () => void wipeDevice() });
    await expect(copy).rejects.toThrow();
    expect(await rowCount()).toBe(0);
  });
});

it('a session that ended by itself keeps what is typed until its person comes back', async () => {
  await releaseDevice();
  await saveDraft({ ...draft, updatedAt: 1 });
  expect(await db.drafts.toArray()).toEqual([{ ...draft, updatedAt: 1 }]);
  await claimDevice(sampleUser(101, 'Ada'), 0, ada);
  expect(await readOwner()).toBe(ada);
});

it('where there is no database the mark is not looked for in a new one', async () => {
  db.close();
  await new Promise((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase(db.name);
    deleting.onsuccess = resolve;
    deleting.onerror = () => reject(deleting.error);
  });
  expect(await readPendingSignOut()).toBeNull();
  expect(await indexedDB.databases()).toEqual([]);
  await db.open();
});
