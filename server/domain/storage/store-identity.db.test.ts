import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { sharedDatabase, type TestDatabase } from '../../../tests/support/database.ts';
import { createMemoryStore } from '../../../tests/support/memory-store.ts';
import { addressHashOf } from '../../db/address-hash.ts';
import { serverState } from '../../db/schema.ts';
import { findStoreIdentity, raiseLastSeen, setMoved } from '../../db/server-state.ts';
import {
  acceptStore,
  assertNotMoved,
  assertOwnFiles,
  checkStore,
  claimStore,
  noteUse,
  ownsFiles,
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

const NEWER =
  /^The files in the (cellar|file store) are newer than this database: .* run "npm run store:accept"\.$/;
const MOVED =
  /^This database was moved to \/srv\/new\. Start the server there\. .* run "npm run store:accept"\.$/;

/** The row of the database as it is now, to be put back as that of a dump or a copy. */
async function dump(): Promise<() => Promise<void>> {
  const [row] = await db.select().from(serverState);
  return async () => {
    await db.delete(serverState);
    if (row) await db.insert(serverState).values(row);
  };
}

const claim = (files = createMemoryStore()) => claimStore({ db, files }, 'the cellar');

it('a first start marks the store, and later ones know it again', async () => {
  const files = createMemoryStore();
  await claim(files);
  await claim(files);
  await checkStore({ db, files });
});

it('a first start that ended between mark and row is repeated', async () => {
  const files = createMemoryStore();
  await claim(files);
  await db.update(serverState).set({ storeIsMarked: false }).where(eq(serverState.id, 1));
  await claim(files);
  await checkStore({ db, files });
});

it('an empty place is refused where the database has files elsewhere', async () => {
  await claim();
  await expect(claim()).rejects.toThrow(ELSEWHERE);
  await expect(checkStore({ db, files: createMemoryStore() })).rejects.toThrow();
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
  expect(await ownsFiles({ db, files })).toBe(false);
  await acceptStore({ db, files }, NOW);
  await claim(files);
  expect(await ownsFiles({ db, files })).toBe(true);
});

it('an older dump of the database is refused with newer files, until the operator accepts', async () => {
  const files = createMemoryStore();
  await claim(files);
  const restore = await dump();
  await noteUse({ db, files });
  await restore();
  await expect(claim(files)).rejects.toThrow(NEWER);
  await expect(assertOwnFiles({ db, files })).rejects.toThrow(NEWER);
  const later = new Date(NOW.getTime() + 1_000);
  await acceptStore({ db, files }, later);
  await claim(files);
  // What is in the store already may be named by a newer dump.
  expect(await db.select().from(serverState)).toMatchObject([{ bornAt: later }]);
});

it('where two copies of a database use one store, both find out and neither deletes', async () => {
  const files = createMemoryStore();
  await claim(files);
  const original = await dump();
  // The copy starts before the original has counted on.
  await claim(files);
  await noteUse({ db, files });
  const copy = await dump();
  await original();
  await expect(noteUse({ db, files })).rejects.toThrow(NEWER);
  await copy();
  await expect(noteUse({ db, files })).rejects.toThrow(NEWER);
  expect(await ownsFiles({ db, files })).toBe(false);
  // The operator decides for the original: its new id shuts out the copy.
  await original();
  await acceptStore({ db, files }, NOW);
  await noteUse({ db, files });
  await copy();
  await expect(claim(files)).rejects.toThrow(ANOTHERS);
});

it('servers that share the database count together', async () => {
  const files = createMemoryStore();
  await Promise.all([claim(files), claim(files)]);
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([noteUse({ db, files }), noteUse({ db, files }), claim(files)]);
  }
  await claim(files);
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
  await acceptStore({ db, files }, NOW);
  await assertNotMoved(db);
  await claim(files);
  expect((await findStoreIdentity(db))?.storeId).not.toBe(before?.storeId);
});

it('what was hashed of addresses is known again, whatever id the store has by then', async () => {
  const files = createMemoryStore();
  await claim(files);
  const hashed = async () => {
    const [row] = await db.select({ hash: addressHashOf('ada@example.org') }).from(serverState);
    return row?.hash;
  };
  const before = await hashed();
  await acceptStore({ db, files }, NOW);
  expect(await hashed()).toBe(before);
  await setMoved(db, '/srv/new');
  await acceptStore({ db, files }, NOW);
  expect(await hashed()).toBe(before);
});
