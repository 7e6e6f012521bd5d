import { EMPTY_DRAFT } from './tables.ts';
import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleId, sampleItem } from '../../tests/support/sample-capsule.ts';
import { closeDatabase, db, openDatabase } from './database.ts';
import { readSession } from './device.ts';

const [ada, bob] = [sampleId(101), sampleId(102)];

/** The tables of the app before each person had a database, by the version that brought them. */
const VERSIONS: Record<string, string>[] = [
  {
    capsules: '[owner+id], owner',
    lists: '[owner+type+query+page], owner',
    summaries: '[owner+year], owner',
    profiles: 'owner',
    limits: 'owner',
    drafts: '[owner+id], owner',
    meta: 'key',
  },
  {
    files: '[owner+id], owner, [owner+capsuleId]',
    chunks: '[fileId+index], fileId, owner',
    outbox: '[owner+id], owner',
  },
  { people: '[owner+id], owner' },
  { bytes: '' },
  { abandoned: '[owner+id], owner' },
];

/** What one person had there: a draft, a queued capsule and a file of two chunks. */
function rowsOf(owner: string, version: number) {
  const file = { owner, id: sampleId(5), capsuleId: sampleId(1), name: 'film.mp4', complete: true };
  const draft = { owner, id: sampleId(1), fields: { ...EMPTY_DRAFT, title: owner }, updatedAt: 7 };
  return {
    drafts: [draft],
    outbox: [{ owner, inParts: false, ...sampleItem(2) }],
    files: [file],
    chunks: version < 4 ? [0, 1].map((index) => ({ owner, fileId: file.id, ...chunk(index) })) : [],
    abandoned: [{ owner, id: sampleId(6) }],
    people: [{ owner, id: sampleId(7), person: { name: 'Grace' } }],
    profiles: [{ owner, user: { name: 'Ada' } }],
  };
}

function chunk(index: number) {
  return { index, bytes: new Uint8Array([index, 2, 3]).buffer, digest: null };
}

/** A device as an older version of the app has left it. */
async function seed(version: number, owners: string[]): Promise<void> {
  const former = new Dexie('time-capsule');
  for (let at = 1; at <= version; at += 1) former.version(at).stores(VERSIONS[at - 1] ?? {});
  await former.open();
  await former.table('meta').put({ key: 'owner', value: owners[0] });
  for (const owner of owners) {
    for (const [name, rows] of Object.entries(rowsOf(owner, version))) {
      const table = former.tables.find((one) => one.name === name);
      await table?.bulkPut(rows);
    }
    for (const index of version < 4 ? [] : [0, 1]) {
      const { bytes, digest } = chunk(index);
      await former.table('bytes').put({ bytes, digest }, [owner, sampleId(5), index]);
    }
  }
  former.close();
}

/** The unsent work in this person's own database. */
async function taken() {
  const [drafts, outbox, files] = await Promise.all([
    db.drafts.toArray(),
    db.outbox.toArray(),
    db.attachments.toArray(),
  ]);
  const chunks = await db.chunks.toArray();
  return { drafts, outbox, files, chunks: chunks.map(({ bytes }) => bytes) };
}

function expected(owner: string, version: number) {
  const without = ({ owner: _, ...row }: { owner: string }) => row;
  const here = (row: { owner: string }) => ({ ...without(row), onlyHere: true });
  const { drafts, outbox, files } = rowsOf(owner, version);
  const bytes = [0, 1].map((index) => chunk(index).bytes);
  return {
    drafts: drafts.map((row) => ({ ...here(row), files: version < 2 ? [] : [sampleId(5)] })),
    outbox: version < 2 ? [] : outbox.map(here),
    files: version < 2 ? [] : files.map(without),
    chunks: version < 2 ? [] : bytes,
  };
}

async function namesOfDatabases() {
  return (await indexedDB.databases()).map(({ name }) => name).toSorted();
}

/** Dies at the nth write or deletion: what has been written by then stays, and nothing else is done. */
function killAt(n: number): void {
  let left = n;
  for (const method of ['put', 'delete', 'clear'] as const) {
    const real = IDBObjectStore.prototype[method];
    vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (
      this: IDBObjectStore,
      ...args: unknown[]
    ) {
      left -= 1;
      if (left < 0) throw new DOMException('killed', 'AbortError');
      return Reflect.apply(real, this, args);
    });
  }
}

beforeEach(async () => {
  vi.restoreAllMocks();
  vi.stubGlobal('reportError', () => undefined);
  closeDatabase();
  for (const { name } of await indexedDB.databases()) {
    if (name && name !== 'time-capsule-device') await Dexie.delete(name);
  }
});

describe.each([1, 2, 3, 4, 5])('a device of version %i', (version) => {
  it('gives each person what is theirs, once, and is gone with the last of it', async () => {
    await seed(version, [ada, bob]);
    expect(await readSession()).toEqual({ userId: ada, signOut: null });
    await openDatabase(ada);
    expect(await taken()).toEqual(expected(ada, version));
    expect(await namesOfDatabases()).toContain('time-capsule');
    await openDatabase(bob);
    expect(await taken()).toEqual(expected(bob, version));
    expect(await namesOfDatabases()).not.toContain('time-capsule');
    // Nothing comes back once it has been sent.
    await db.outbox.clear();
    await openDatabase(ada);
    await openDatabase(bob);
    expect(await db.outbox.count()).toBe(0);
  });
});

it('has everything however often it is killed on the way', async () => {
  let kills = 0;
  for (let n = 0; ; n += 1) {
    await seed(5, [ada, bob]);
    killAt(n);
    await openDatabase(ada);
    closeDatabase();
    vi.restoreAllMocks();
    const isDone = !(await ownersLeft()).includes(ada);
    await openDatabase(ada);
    expect(await taken()).toEqual(expected(ada, 5));
    await openDatabase(bob);
    expect(await taken()).toEqual(expected(bob, 5));
    expect(await namesOfDatabases()).not.toContain('time-capsule');
    closeDatabase();
    for (const name of [ada, bob]) await Dexie.delete(`time-capsule-${name}`);
    if (isDone) break;
    kills += 1;
  }
  expect(kills).toBeGreaterThan(10);
}, 120_000);

async function ownersLeft(): Promise<string[]> {
  const former = await new Dexie('time-capsule').open();
  const rows: { owner: string }[] = await former.table('drafts').toArray();
  former.close();
  return rows.map(({ owner }) => owner);
}

it('keeps the newer one of two drafts, where an older tab was still open', async () => {
  await openDatabase(ada);
  const fields = { ...EMPTY_DRAFT, title: 'Newer' };
  const draft = { id: sampleId(1), fields, files: [], updatedAt: 9 };
  await db.drafts.put(draft);
  closeDatabase();
  await seed(5, [ada]);
  await openDatabase(ada);
  expect(await db.drafts.toArray()).toEqual([draft]);
});

it('ends a session that was left without a connection by an older version', async () => {
  await seed(5, []);
  const former = await new Dexie('time-capsule').open();
  await former.table('meta').clear();
  await former.table('meta').put({ key: 'pending-sign-out', value: 'token' });
  former.close();
  expect(await readSession()).toEqual({ userId: null, signOut: { userId: '', xsrf: 'token' } });
});

it('takes over the last keys of a page that an older version could not save', async () => {
  const names = [1, 3].map((n) => `last-words ${ada} ${sampleId(n)} page`);
  const words = (n: number, base: object | null) => {
    const fields = { ...EMPTY_DRAFT, title: 'Last keys' };
    return JSON.stringify({ draft: { owner: ada, id: sampleId(n), fields, updatedAt: 8 }, base });
  };
  // Of a draft that is there, and of one that was sealed or discarded since.
  const stored = new Map(names.map((name, at) => [name, words(at === 0 ? 1 : 3, {})]));
  vi.stubGlobal(
    'localStorage',
    Object.assign(
      Object.create({
        getItem: (name: string) => stored.get(name),
        removeItem: (name: string) => stored.delete(name),
      }),
      Object.fromEntries(stored),
    ),
  );
  await seed(5, [ada]);
  await openDatabase(ada);
  expect((await db.drafts.toArray()).map(({ fields }) => fields.title)).toEqual(['Last keys']);
  expect(stored.size).toBe(0);
  vi.unstubAllGlobals();
});
