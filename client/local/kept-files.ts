import { UPLOAD_CHUNK_BYTES } from '../../shared/limits.ts';
import { noteAbandoned } from './abandoned.ts';
import {
  chunkTables,
  countChunks,
  getChunk,
  getChunks,
  putChunks,
  removeChunks,
  removeChunksExcept,
} from './chunks.ts';
import { db, type KeptChunk, type KeptFileRow } from './db.ts';
import { sameDigest, sha256 } from './digest.ts';
import { isKeptFile } from './file-row.ts';
import { KeepFileError } from './keep-file-error.ts';
import { keepsBlobs } from './keeps-blobs.ts';
import { isNoRoom } from './no-room.ts';
import { readKnownPerson } from './owner.ts';
import { assertUnchanged, createChunkReader, readAhead } from './read-chunks.ts';
import { randomUuid } from './uuid.ts';

/** The Web Lock that whoever copies files holds, shared, so that nobody takes them for leftovers. */
export const COPYING_LOCK = 'time-capsule-copying';

export interface KeepFileOptions {
  /** Of its row; one of its own without. */
  id?: string;
  /** Its place among the others, in milliseconds. */
  addedAt?: number;
  thumbnail?: ArrayBuffer | null;
  onProgress?: (bytes: number) => void;
  signal?: AbortSignal;
}

/**
 * Copies a picked file into this device's database, chunk by chunk: the file itself is only
 * a reference that may change or vanish before it is sent. While some chunks are written the
 * next are read and hashed, and no more than two are in this page's memory; the server checks the
 * SHA-256 of each when it arrives.
 * @param capsuleId the draft it belongs to; its queued capsule has the same id
 * @throws {KeepFileError} when it does not fit or cannot be read; nothing of it is then kept
 */
export async function keepFile(
  owner: string,
  capsuleId: string,
  file: File,
  { id = randomUuid(), addedAt, thumbnail = null, onProgress, signal }: KeepFileOptions = {},
): Promise<KeptFileRow> {
  if (file.size === 0) throw new KeepFileError('empty');
  const row = { ...rowOf(owner, capsuleId, file, { id, addedAt }), thumbnail };
  try {
    await putForKnown(row);
    let copied = 0;
    const count = chunkCount(file.size);
    const together = chunksTogether();
    const readOne = createChunkReader(file);
    const read = async (group: number) => {
      const chunks: KeptChunk[] = [];
      const first = group * together;
      for (let index = first; index < Math.min(count, first + together); index += 1) {
        chunks.push(await readOne(index));
      }
      return chunks;
    };
    await readAhead(Math.ceil(count / together), read, async (chunks, group) => {
      signal?.throwIfAborted();
      await putChunks(row, group * together, chunks);
      for (const { bytes } of chunks) copied += sizeOf(bytes);
      onProgress?.(copied);
    });
    await assertUnchanged(file);
    // Nothing counts as kept before all of it is seen to be there.
    if ((await countChunks(row)) !== count) throw new KeepFileError('unreadable');
    const kept = { ...row, complete: true };
    await putForKnown(kept);
    await removeFound(kept).catch(() => undefined);
    return kept;
  } catch (error) {
    await removeFile(owner, id).catch(() => undefined);
    throw asKeepFileError(error, signal);
  }
}

/** Lost files that are here again. */
async function removeFound({ owner, capsuleId, name, bytes }: KeptFileRow): Promise<void> {
  const found = (await readFiles(owner, capsuleId)).filter(
    (row) => row.lost && row.name === name && row.bytes === bytes,
  );
  await noteAbandoned(found);
  for (const { id } of found) await db.files.delete([owner, id]);
}

/**
 * A picked file that waits for its turn is noted: should the page end before, its name is not lost.
 * Under the lock of those who copy.
 */
export async function noteWaiting(
  owner: string,
  capsuleId: string,
  file: File,
  place: { id: string; addedAt: number },
): Promise<void> {
  if (file.size > 0) await putForKnown(rowOf(owner, capsuleId, file, place));
}

function rowOf(
  owner: string,
  capsuleId: string,
  file: File,
  { id, addedAt = Date.now() }: { id: string; addedAt?: number | undefined },
): KeptFileRow {
  return {
    owner,
    id,
    capsuleId,
    name: file.name,
    type: file.type,
    bytes: file.size,
    lastModified: file.lastModified,
    thumbnail: null,
    addedAt,
    complete: false,
    announced: false,
  };
}

/**
 * Whoever has signed out, in another tab perhaps, leaves nothing behind, not even a copy under
 * way; and what was sealed or discarded there takes no more files.
 */
async function putForKnown(row: KeptFileRow): Promise<void> {
  await db.transaction('rw', db.files, db.drafts, db.meta, async () => {
    const isKnown = (await readKnownPerson()) === row.owner;
    const draft = await db.drafts.get([row.owner, row.capsuleId]);
    if (!isKnown || !draft) throw new KeepFileError('unreadable');
    await db.files.put(row);
  });
}

/** Blobs wait outside of this page's memory: then one flush of the disk serves several. */
function chunksTogether(): number {
  return keepsBlobs() ? 3 : 1;
}

export function chunkCount(bytes: number): number {
  return Math.ceil(bytes / UPLOAD_CHUNK_BYTES);
}

/**
 * The files of a draft or a queued capsule, in the order in which they were picked; those
 * whose rows are damaged are left out.
 */
export async function readFiles(owner: string, capsuleId: string): Promise<KeptFileRow[]> {
  const rows = await db.files.where('[owner+capsuleId]').equals([owner, capsuleId]).toArray();
  return rows.filter(isKeptFile).sort((a, b) => a.addedAt - b.addedAt || (a.id < b.id ? -1 : 1));
}

export async function removeFile(owner: string, id: string): Promise<void> {
  await db.transaction('rw', [db.files, ...chunkTables()], async () => {
    await removeChunks({ owner, id });
    await db.files.delete([owner, id]);
  });
}

export async function removeFilesOf(owner: string, capsuleId: string): Promise<void> {
  await db.transaction('rw', [db.files, ...chunkTables()], async () => {
    const rows = db.files.where('[owner+capsuleId]').equals([owner, capsuleId]);
    // By their keys: damaged rows go too.
    const keys = (await rows.primaryKeys()) as [string, string][];
    for (const [, id] of keys) await removeChunks({ owner, id });
    await db.files.bulkDelete(keys);
  });
}

/** Every file this device keeps for a person, whatever it belongs to. */
export async function readAllFiles(owner: string): Promise<KeptFileRow[]> {
  return (await db.files.where({ owner }).toArray()).filter(isKeptFile);
}

/** Damaged rows of files of a draft: their owner must hear of them before they can seal it. */
export async function readBrokenFiles(
  owner: string,
  capsuleId: string,
): Promise<Pick<KeptFileRow, 'owner' | 'id'>[]> {
  const rows = await db.files.where('[owner+capsuleId]').equals([owner, capsuleId]).toArray();
  return rows.filter((row) => !isKeptFile(row)).map(({ id }) => ({ owner, id }));
}

/** The names of the files of which this device does not keep every chunk any more. */
export async function findIncomplete(files: readonly KeptFileRow[]): Promise<string[]> {
  const names: string[] = [];
  for (const file of files) {
    if ((await countChunks(file)) !== chunkCount(file.bytes)) names.push(file.name);
  }
  return names;
}

type FileOfChunks = Pick<KeptFileRow, 'owner' | 'id' | 'bytes' | 'name'>;

/**
 * A chunk of a kept file that has the right size; whether its bytes are right is not looked at.
 * @throws {KeepFileError} when it is missing or shortened
 */
function checkChunk(file: FileOfChunks, index: number, chunk: KeptChunk | null): KeptChunk {
  const expected = Math.min(UPLOAD_CHUNK_BYTES, file.bytes - index * UPLOAD_CHUNK_BYTES);
  if (chunk && sizeOf(chunk.bytes) === expected) return chunk;
  throw new KeepFileError('unreadable', { fileName: file.name });
}

/**
 * A chunk of a kept file as it was picked.
 * @throws {KeepFileError} when it is not: missing, shortened or changed; or, with a cause, when it
 *   cannot be read at present
 */
export async function readChunk(file: FileOfChunks, index: number): Promise<KeptChunk> {
  return (await readSound(file, index)).chunk;
}

/** @throws as `readChunk` does */
async function readSound(
  file: FileOfChunks,
  index: number,
  isLast = false,
): Promise<{ chunk: KeptChunk; buffer: ArrayBuffer }> {
  const chunk = checkChunk(file, index, await getChunk(file, index));
  let cause: unknown;
  try {
    const { bytes, digest } = chunk;
    const buffer = bytes instanceof ArrayBuffer ? bytes : await bytes.arrayBuffer();
    if (sameDigest(digest, await sha256(buffer))) return { chunk, buffer };
  } catch (error) {
    // Once more by a new handle: a blob may fail to be read for a reason that passes.
    if (!isLast) return readSound(file, index, true);
    cause = error;
  }
  throw new KeepFileError('unreadable', { fileName: file.name, cause });
}

/** The next part of a file to be sent. */
export interface FilePart {
  body: Blob;
  /** SHA-256 of each chunk in it; none where the browser could not make them. */
  digests: ArrayBuffer[];
}

/**
 * Up to `most` bytes of a kept file from `start` on: whole chunks, or a piece of one; nothing from
 * the file's very end on. Whole chunks that are blobs are not read here: whether they still are
 * what was picked, the server sees by their digests, and `readChunk` here. Others come one by one,
 * to keep no more of them in memory.
 * @throws {KeepFileError} when a chunk is missing, shortened or seen to have changed
 */
export async function readPart(file: FileOfChunks, start: number, most: number): Promise<FilePart> {
  if (start === file.bytes) return { body: new Blob(), digests: [] };
  const index = Math.floor(start / UPLOAD_CHUNK_BYTES);
  const skip = start - index * UPLOAD_CHUNK_BYTES;
  const first = checkChunk(file, index, await getChunk(file, index));
  if (skip > 0 || most < sizeOf(first.bytes)) {
    const piece = (await readSound(file, index)).buffer.slice(skip, skip + most);
    return { body: new Blob([piece]), digests: known([await sha256(piece)]) };
  }
  if (first.bytes instanceof ArrayBuffer) await readSound(file, index);
  const chunks = [first];
  if (first.bytes instanceof Blob) {
    const others: number[] = [];
    const end = Math.min(file.bytes, start + most);
    for (let next = index + 1; next * UPLOAD_CHUNK_BYTES < end; next += 1) others.push(next);
    const found = await getChunks(file, others);
    for (const [at, other] of others.entries()) {
      const chunk = checkChunk(file, other, found[at] ?? null);
      if (!(chunk.bytes instanceof Blob)) break;
      chunks.push(chunk);
    }
  }
  return {
    body: new Blob(chunks.map(({ bytes }) => bytes)),
    digests: known(chunks.map(({ digest }) => digest)),
  };
}

/** All of them, or none. */
function known(digests: (ArrayBuffer | null)[]): ArrayBuffer[] {
  const made = digests.filter((digest) => digest !== null);
  return made.length === digests.length ? made : [];
}

/**
 * Looks whether what was just sent still is what was picked.
 * @throws {KeepFileError} when it is not
 */
export async function assertSound(file: FileOfChunks, start: number, end: number): Promise<void> {
  for (let at = start; at < end; at += UPLOAD_CHUNK_BYTES) {
    await readChunk(file, Math.floor(at / UPLOAD_CHUNK_BYTES));
  }
}

/** All of a small file, for a body that carries it whole. */
export async function readWhole(file: KeptFileRow): Promise<Blob> {
  const parts: (Blob | ArrayBuffer)[] = [];
  for (let index = 0; index < chunkCount(file.bytes); index += 1) {
    parts.push((await readChunk(file, index)).bytes);
  }
  return new Blob(parts, { type: file.type });
}

/** NaN for what is neither, in a damaged row. */
function sizeOf(bytes: ArrayBuffer | Blob): number {
  if (bytes instanceof ArrayBuffer) return bytes.byteLength;
  return bytes instanceof Blob ? bytes.size : Number.NaN;
}

/**
 * Bytes that a closed page copied in part are of no use, nor is what no draft and no queued
 * capsule names any more. Only while no page is copying: a copy under way looks the same. What a
 * draft is left without stays by its name, until its person has taken it out.
 */
export async function removeUnfinished(owner: string): Promise<void> {
  const tables = [db.drafts, db.outbox, db.files, ...chunkTables()];
  const cutOff: string[] = [];
  await db.transaction('rw', tables, async () => {
    const kept = new Set<string>();
    for (const { id, capsuleId, complete, lost } of await db.files.where({ owner }).toArray()) {
      const key: [string, string] = [owner, capsuleId];
      const isNamed = (await db.drafts.get(key)) ?? (await db.outbox.get(key));
      if (!isNamed) await db.files.delete([owner, id]);
      // A damaged row is no leftover: its owner is told, and decides.
      else if (complete !== false) kept.add(id);
      else if (!lost) cutOff.push(id);
    }
    await removeChunksExcept(owner, kept);
  });
  // Apart from that: a device without room lets go of bytes, but takes in nothing.
  for (const id of cutOff) await db.files.update([owner, id], { lost: true });
}

/** Keeps the names of files whose bytes are gone, where nothing of them is there. @returns those */
export async function noteLost(files: readonly KeptFileRow[]): Promise<KeptFileRow[]> {
  return db.transaction('rw', db.files, async () => {
    const lost: KeptFileRow[] = [];
    for (const file of files) {
      const wasHere = file.complete || file.lost;
      if (!wasHere || (await db.files.get([file.owner, file.id]))) continue;
      await db.files.put({ ...file, complete: false, lost: true });
      lost.push(file);
    }
    return lost;
  });
}

function asKeepFileError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof KeepFileError || signal?.aborted) return error;
  return new KeepFileError(isNoRoom(error) ? 'device-full' : 'device-failed', { cause: error });
}
