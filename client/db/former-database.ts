import { Dexie, type Table } from 'dexie';
import { listDatabases } from './answered.ts';
import { FORMER_DATABASE } from './device.ts';
import { withLock } from './with-lock.ts';

/*
 * Before each person had a database of their own, there was one for everybody, "time-capsule",
 * whose rows named their owner. What it still holds of a person is moved once, when their own
 * database is opened. Nothing else reads the former database, so this file can go one day.
 */

/** A file's bytes are in `bytes` under [owner, file, number] or, since longer ago, in `chunks`. */
interface FormerChunk {
  bytes: ArrayBuffer | Blob;
  digest: ArrayBuffer | null;
}

type FormerRow = Record<string, unknown> & { id: string; owner?: string };

/** Page and worker may open the database at once: only one of them moves the rows. */
export async function takeOver(database: Dexie, userId: string): Promise<void> {
  await withLock('time-capsule-take-over', {}, async () => {
    const names = await listDatabases();
    if (names.some(({ name }) => name === FORMER_DATABASE)) await moveRows(database, userId);
    await moveLastKeys(database, userId);
  });
}

async function moveRows(database: Dexie, userId: string): Promise<void> {
  const former = await new Dexie(FORMER_DATABASE).open();
  try {
    await copyBytes(former, database, userId);
    await copyRows(former, database, userId);
    await assertCopied(former, database, userId);
    await removeRows(former, userId);
    // The rows of others wait for them.
    if ((await countUnsent(former)) === 0) await deleteFormer(former);
  } finally {
    former.close();
  }
}

/** Drafts as a page had them when it was closed before it could save the last keys; not in the worker. */
async function moveLastKeys(database: Dexie, userId: string): Promise<void> {
  const storage = pageStorage();
  if (!storage) return;
  for (const name of Object.keys(storage)) {
    if (!name.startsWith(`last-words ${userId} `)) continue;
    const saved = parseLastKeys(storage.getItem(name));
    if (saved) await putLastKeys(database, saved);
    storage.removeItem(name);
  }
}

interface LastKeys {
  draft: FormerRow;
  /** The draft as it was last saved; null when it had never been saved. */
  base: unknown;
}

async function putLastKeys(database: Dexie, { draft, base }: LastKeys): Promise<void> {
  await database.transaction('rw', ['drafts', 'outbox'], async (transaction) => {
    const found: FormerRow | undefined = await transaction.table('drafts').get(draft.id);
    const isSealed = (await transaction.table('outbox').get(draft.id)) !== undefined;
    // A draft that was saved once and is gone was sealed or discarded.
    const isGone = !found && (isSealed || base !== null);
    if (!isGone && isNewer(draft, found))
      await transaction.table('drafts').put(onlyHere(withoutOwner(draft)));
  });
}

/** What another version has left half written must not keep the database from opening. */
function parseLastKeys(text: string | null): LastKeys | null {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** A worker has no localStorage, and a page may be forbidden to use it. */
function pageStorage() {
  try {
    const { localStorage } = globalThis as {
      localStorage?: { getItem(name: string): string | null; removeItem(name: string): void };
    };
    return localStorage ?? null;
  } catch {
    return null;
  }
}

/** Chunk by chunk: a page could not hold all bytes of a film at once. */
async function copyBytes(former: Dexie, database: Dexie, userId: string): Promise<void> {
  for (const { id: attachmentId } of await rowsOf(former, 'files', userId)) {
    const { table, keys } = await chunkKeys(former, userId, attachmentId);
    for (const key of keys) {
      const chunk: FormerChunk | undefined = await table?.get(key);
      const index = Number(key.at(-1));
      if (!chunk) continue;
      const { bytes, digest } = chunk;
      await database.table('chunks').put({ attachmentId, index, bytes, digest });
    }
  }
}

/** In one transaction; what has been written in the new database meanwhile stays. */
async function copyRows(former: Dexie, database: Dexie, userId: string): Promise<void> {
  const names = ['drafts', 'outbox', 'files', 'abandoned', 'people'] as const;
  const [drafts, outbox, files, abandoned, people] = await Promise.all(
    names.map(async (name) => (await rowsOf(former, name, userId)).map(withoutOwner)),
  );
  const tables = ['drafts', 'outbox', 'attachments', 'orphanedUploads', 'people'];
  await database.transaction('rw', tables, async (transaction) => {
    const put = async (name: string, rows: FormerRow[] = []) => {
      const table: Table<FormerRow, string> = transaction.table(name);
      const found = await table.bulkGet(rows.map(({ id }) => id));
      await table.bulkPut(rows.filter((row, at) => isNewer(row, found[at])));
    };
    const kept = (row: FormerRow) => onlyHere(withFiles(row, files));
    await put('outbox', outbox?.map(kept));
    await put('drafts', drafts?.map(kept));
    await put('attachments', files);
    await put('orphanedUploads', abandoned);
    await put('people', people);
  });
}

function isNewer(row: FormerRow, found: FormerRow | undefined): boolean {
  return !found || Number(row.updatedAt) > Number(found.updatedAt);
}

/** The former rows are removed only once all of them are seen in the new database. */
async function assertCopied(former: Dexie, database: Dexie, userId: string): Promise<void> {
  const copies = { drafts: 'drafts', outbox: 'outbox', files: 'attachments' };
  for (const [from, to] of Object.entries(copies)) {
    const ids = (await rowsOf(former, from, userId)).map(({ id }) => id);
    const found = await database.table(to).bulkGet(ids);
    if (found.includes(undefined)) throw new Error(`Not every row of ${from} was copied.`);
  }
  for (const { id } of await rowsOf(former, 'files', userId)) {
    const { keys } = await chunkKeys(former, userId, id);
    const copied = await database
      .table('chunks')
      .where('[attachmentId+index]')
      .between([id, Dexie.minKey], [id, Dexie.maxKey])
      .count();
    if (copied < keys.length) throw new Error('Not all bytes of a file were copied.');
  }
}

/** The caches go as well: they repeat what the server knows. */
async function removeRows(former: Dexie, userId: string): Promise<void> {
  await former.transaction('rw', former.tables, async () => {
    for (const table of former.tables) {
      const { primKey, indexes } = table.schema;
      if (indexes.some(({ name }) => name === 'owner')) {
        await table.where('owner').equals(userId).delete();
      } else if (table.name === 'bytes') {
        await table.where(':id').between([userId, Dexie.minKey], [userId, Dexie.maxKey]).delete();
      } else if (primKey.keyPath === 'owner') {
        await table.delete(userId);
      }
    }
  });
}

async function countUnsent(former: Dexie): Promise<number> {
  const unsent = former.tables.filter(({ name }) => ['drafts', 'outbox', 'files'].includes(name));
  const counts = await Promise.all(unsent.map((table) => table.count()));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A sleeping tab of the older version can hold up the deletion: nothing waits for it. */
async function deleteFormer(former: Dexie): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, 500));
  await Promise.race([former.delete(), patience]);
}

/** Older versions had fewer tables. */
async function rowsOf(former: Dexie, name: string, userId: string): Promise<FormerRow[]> {
  const table = former.tables.find((one) => one.name === name);
  return table ? table.where('owner').equals(userId).toArray() : [];
}

async function chunkKeys(former: Dexie, userId: string, fileId: string) {
  const within = (...first: string[]) =>
    [
      [...first, Dexie.minKey],
      [...first, Dexie.maxKey],
    ] as const;
  for (const [name, prefix] of [
    ['bytes', [userId, fileId]],
    ['chunks', [fileId]],
  ] as const) {
    const table = former.tables.find((one) => one.name === name);
    const [lower, upper] = within(...prefix);
    const keys = await table?.where(':id').between(lower, upper).primaryKeys();
    if (keys && keys.length > 0) return { table, keys: keys as (string | number)[][] };
  }
  return { table: undefined, keys: [] };
}

/** Each file named its draft once, and their order was that of their times. */
export function withFiles<Row extends { id: string; files?: unknown }>(
  row: Row,
  files: readonly Record<string, unknown>[] = [],
): Row {
  const own = files.filter(({ capsuleId }) => capsuleId === row.id);
  own.sort((a, b) => Number(a.addedAt) - Number(b.addedAt));
  return { ...row, files: own.map(({ id }) => id) };
}

/** They were begun under the words "Saved on this device". */
function onlyHere(row: FormerRow): FormerRow {
  return { ...row, onlyHere: true };
}

function withoutOwner({ owner: _, ...row }: FormerRow): FormerRow {
  return row as FormerRow;
}
