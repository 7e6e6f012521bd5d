import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { sharedDatabase, type TestDatabase } from '../../../tests/support/database.ts';
import { createMemoryStore } from '../../../tests/support/memory-store.ts';
import { addressHashOf } from '../../db/address-hash.ts';
import { serverState } from '../../db/schema.ts';
import {
  findStoreIdentity,
  raiseLastSeen,
  setFinished,
  setMoved,
  UNFINISHED,
} from '../../db/server-state.ts';
import { createDiskStore } from '../../files/disk.ts';
import {
  acceptStore,
  assertNotMoved,
  assertOwnFiles,
  claimStore,
  markStore,
} from './store-identity.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const ELSEWHERE =
  /^The files of this database are not in the cellar\. .* run "npm run store:accept"\.$/;
const ANOTHERS =
  /^The files in the cellar belong to another database\. .* run "npm run store:accept"\.$/;

const database = sharedDatabase();
let db: TestDatabase['db'];
beforeAll(async () => {
  db = database.db;
});
beforeEach(freshDatabase);

async function freshDatabase(): Promise<void> {
  await db.delete(serverState);
  await raiseLastSeen(db, NOW);
}

const MOVED =
  /^This database was moved to \/srv\/new\. Start the server there\. .* run "npm run store:accept"\.$/;

const claim = (files = createMemoryStore()) => claimStore({ db, files }, 'the cellar');

it('a first start marks the store, and later ones know it again', async () => {
  const files = createMemoryStore();
  await claim(files);
  await claim(files);
  await assertOwnFiles({ db, files });
});

it('a server that has only read since its start knows when its folder is gone', async () => {
  const root = await mkdtemp(join(tmpdir(), 'store-identity-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = join(root, 'files');
  await claimStore({ db, files: createDiskStore(folder) }, folder);
  const files = createDiskStore(folder);
  await claimStore({ db, files }, folder);
  await rename(folder, join(root, 'away'));
  await mkdir(folder);
  await expect(files.read('letter')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

it('a first start that ended between mark and row is repeated', async () => {
  const files = createMemoryStore();
  await claim(files);
  await db.update(serverState).set({ storeIsMarked: false }).where(eq(serverState.id, 1));
  await claim(files);
  await assertOwnFiles({ db, files });
});

it('a mark that a crash has cut short is written again', async () => {
  const files = createMemoryStore();
  await files.write('store-identity', Readable.from([]));
  await claim(files);
  await assertOwnFiles({ db, files });
});

it('an empty place is refused where the database has files elsewhere', async () => {
  await claim();
  await expect(claim()).rejects.toThrow(ELSEWHERE);
  await expect(assertOwnFiles({ db, files: createMemoryStore() })).rejects.toThrow();
});

it('of two first starts at once with a folder each, one is refused', async () => {
  const outcomes = await Promise.allSettled([claim(), claim()]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('the files of another database are refused, until the operator accepts them', async () => {
  const files = createMemoryStore();
  await claim(files);
  await freshDatabase();
  await expect(claim(files)).rejects.toThrow(ANOTHERS);
  await expect(assertOwnFiles({ db, files }, 'the cellar')).rejects.toThrow(ANOTHERS);
  await acceptStore({ db, files });
  await claim(files);
  await assertOwnFiles({ db, files });
});

it('a database that was moved is refused and has lost its files, until the operator takes them back', async () => {
  const files = createMemoryStore();
  await claim(files);
  const before = await findStoreIdentity(db);
  await assertNotMoved(db);
  await setMoved(db, '/srv/new');
  await expect(assertNotMoved(db)).rejects.toThrow(MOVED);
  // Whatever the version of the server, the mark says it too.
  await expect(claim(files)).rejects.toThrow(ANOTHERS);
  await acceptStore({ db, files });
  await assertNotMoved(db);
  await claim(files);
  expect((await findStoreIdentity(db))?.storeId).not.toBe(before?.storeId);
});

it('a copy that is not finished is refused, until it is', async () => {
  await setMoved(db, UNFINISHED);
  await expect(assertNotMoved(db)).rejects.toThrow(/^This database is an unfinished copy\. /);
  await setFinished(db);
  await assertNotMoved(db);
});

it('a move marks a new store, knows it again, and takes no other one', async () => {
  const files = createMemoryStore();
  await markStore({ db, files }, 'the cellar');
  await markStore({ db, files }, 'the cellar');
  // As after the way back: what the store is marked with is the id of the moved one.
  await setMoved(db, '/srv/new');
  await expect(markStore({ db, files }, 'the cellar')).rejects.toThrow(ANOTHERS);
});

it('what was hashed of addresses is known again, whatever id the store has by then', async () => {
  const files = createMemoryStore();
  await claim(files);
  const hashed = async () => {
    const [row] = await db.select({ hash: addressHashOf('ada@example.org') }).from(serverState);
    return row?.hash;
  };
  const before = await hashed();
  await acceptStore({ db, files });
  expect(await hashed()).toBe(before);
  await setMoved(db, '/srv/new');
  await acceptStore({ db, files });
  expect(await hashed()).toBe(before);
});
