import { noteAbandoned } from './abandoned.ts';
import {
  chunkTables,
  countChunks,
  putChunks,
  removeChunks,
  removeChunksExcept,
  sizeOf,
} from './chunks.ts';
import { db, type KeptChunk, type KeptFileRow } from './db.ts';
import { KeepFileError } from './keep-file-error.ts';
import { keepsBlobs } from './keeps-blobs.ts';
import { chunkCount, markLost, readFiles, removeFile } from './kept-files.ts';
import { isNoRoom } from './no-room.ts';
import { readKnownPerson } from './owner.ts';
import { createChunkReader, readAhead } from './read-chunks.ts';
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
 * @throws {KeepFileError} when it does not fit or cannot be read; nothing of it is then kept but
 *   its name, where the draft could take that in
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
    const reader = createChunkReader(file);
    const read = async (group: number) => {
      const chunks: KeptChunk[] = [];
      const first = group * together;
      for (let index = first; index < Math.min(count, first + together); index += 1) {
        chunks.push(await reader.read(index));
      }
      return chunks;
    };
    await readAhead(Math.ceil(count / together), read, async (chunks, group) => {
      signal?.throwIfAborted();
      await putChunks(row, group * together, chunks);
      for (const { bytes } of chunks) copied += sizeOf(bytes);
      onProgress?.(copied);
    });
    await reader.assertUnchanged();
    // Nothing counts as kept before all of it is seen to be there.
    if ((await countChunks(row)) !== count) throw new KeepFileError('unreadable');
    const kept = { ...row, complete: true };
    await putForKnown(kept);
    await removeFound(kept).catch(() => undefined);
    return kept;
  } catch (error) {
    if (signal?.aborted) await removeFile(owner, id).catch(() => undefined);
    else await letGo(row).catch(() => undefined);
    throw asKeepFileError(error, signal);
  }
}

/** Of what could not be kept only the name stays: a sentence on the screen goes with its page. */
async function letGo(row: KeptFileRow): Promise<void> {
  await db.transaction('rw', chunkTables(), () => removeChunks(row));
  // Once is enough, however often it was tried.
  await removeFound(row);
  await markLost(row);
}

/** Lost files that are here again, or are about to be named once more. */
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
  for (const id of cutOff) await markLost({ owner, id });
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
