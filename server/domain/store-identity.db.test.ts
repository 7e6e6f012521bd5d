import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { serverState } from '../db/schema.ts';
import { raiseLastSeen } from '../db/server-state.ts';
import { createMemoryStore } from '../files/memory.ts';
import { acceptStore, checkStore, claimStore } from './store-identity.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const ELSEWHERE =
  /^The files of this database are not in the cellar\. .* run "npm run store:accept"\.$/;
const ANOTHERS =
  /^The files in the cellar belong to another database\. .* run "npm run store:accept"\.$/;

let database: TestDatabase;
let db: TestDatabase['db'];
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(freshDatabase);

async function freshDatabase(): Promise<void> {
  await db.delete(serverState);
  await raiseLastSeen(db, NOW);
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
  await acceptStore({ db, files });
  await claim(files);
});
