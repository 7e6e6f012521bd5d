import { Dexie } from 'dexie';
import { db, type KeptChunk, type KeptFileRow } from './db.ts';
import { KeepFileError } from './keep-file-error.ts';

/*
 * The bytes of kept files. They lie in a table without keys inside its values and without
 * indexes, because a browser that must look for keys in a value first makes a copy of all of it.
 * Files that were kept before that table was there are still in `chunks`: they are read and
 * removed there, never written.
 */

type FileKey = Pick<KeptFileRow, 'owner' | 'id'>;

/** For a transaction in which bytes are removed. */
export function chunkTables() {
  return [db.bytes, db.chunks];
}

/**
 * Writes chunks that follow each other; durable when it returns. Their buffers may then be used
 * for something else.
 * @throws {KeepFileError} when their file has been removed meanwhile: by a sign-out in another tab
 */
export async function putChunks(
  { owner, id }: FileKey,
  first: number,
  chunks: readonly KeptChunk[],
) {
  await db.transaction('rw', db.files, db.bytes, async () => {
    if (!(await db.files.get([owner, id]))) throw new KeepFileError('unreadable');
    await Promise.all(chunks.map((chunk, at) => db.bytes.put(chunk, [owner, id, first + at])));
  });
}

export async function getChunk({ owner, id }: FileKey, index: number) {
  return (await db.bytes.get([owner, id, index])) ?? (await db.chunks.get([id, index])) ?? null;
}

/** These chunks in their order, at once; null for each that is not there. */
export async function getChunks({ owner, id }: FileKey, indexes: readonly number[]) {
  const keys = indexes.map((index): [string, string, number] => [owner, id, index]);
  return (await db.bytes.bulkGet(keys)).map((chunk) => chunk ?? null);
}

/** How many chunks of a file are there. */
export async function countChunks({ owner, id }: FileKey): Promise<number> {
  const count = await keysUnder(owner, id).count();
  return count > 0 ? count : db.chunks.where('fileId').equals(id).count();
}

export async function removeChunks({ owner, id }: FileKey): Promise<void> {
  await keysUnder(owner, id).delete();
  await db.chunks.where('fileId').equals(id).delete();
}

/** Removes what belongs to no file in `kept`. */
export async function removeChunksExcept(owner: string, kept: ReadonlySet<string>): Promise<void> {
  const keys = await keysUnder(owner).primaryKeys();
  await db.bytes.bulkDelete(keys.filter(([, id]) => !kept.has(id)));
  const older = (await db.chunks.where({ owner }).primaryKeys()) as [string, number][];
  await db.chunks.bulkDelete(older.filter(([id]) => !kept.has(id)));
}

/** Removes all bytes of these people. */
export async function wipeChunks(owners: readonly string[]): Promise<void> {
  for (const owner of owners) await keysUnder(owner).delete();
  await db.chunks.where('owner').anyOf(owners).delete();
}

function keysUnder(...first: string[]) {
  return db.bytes.where(':id').between([...first, Dexie.minKey], [...first, Dexie.maxKey]);
}

/** Of a chunk, in bytes; NaN for what is neither, in a damaged row. */
export function sizeOf(bytes: ArrayBuffer | Blob): number {
  if (bytes instanceof ArrayBuffer) return bytes.byteLength;
  return bytes instanceof Blob ? bytes.size : Number.NaN;
}
