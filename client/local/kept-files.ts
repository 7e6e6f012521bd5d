import { UPLOAD_PART_BYTES } from '../../shared/limits.ts';
import {
  chunkTables,
  countChunks,
  getChunk,
  putChunk,
  removeChunks,
  removeChunksExcept,
} from './chunks.ts';
import { db, type KeptFileRow } from './db.ts';
import { sameDigest, sha256 } from './digest.ts';
import { isKeptFile } from './file-row.ts';
import { KeepFileError } from './keep-file-error.ts';
import { isNoRoom } from './no-room.ts';
import { readKnownPerson } from './owner.ts';
import { createChunkReader, readAhead } from './read-chunks.ts';
import { randomUuid } from './uuid.ts';

/** The Web Lock that whoever copies files holds, shared, so that nobody takes them for leftovers. */
export const COPYING_LOCK = 'time-capsule-copying';

export interface KeepFileOptions {
  /** Of its row; one of its own without. */
  id?: string;
  thumbnail?: ArrayBuffer | null;
  onProgress?: (bytes: number) => void;
  signal?: AbortSignal;
}

/**
 * Copies a picked file into this device's database, chunk by chunk: the file itself is only
 * a reference that may change or vanish before it is sent. While one chunk is written the
 * next is read, and no more than these two are in memory; each has its SHA-256, which the
 * server checks when it arrives.
 * @param capsuleId the draft it belongs to; its queued capsule has the same id
 * @throws {KeepFileError} when it does not fit or cannot be read; nothing of it is then kept
 */
export async function keepFile(
  owner: string,
  capsuleId: string,
  file: File,
  { id = randomUuid(), thumbnail = null, onProgress, signal }: KeepFileOptions = {},
): Promise<KeptFileRow> {
  if (file.size === 0) throw new KeepFileError('empty');
  const row: KeptFileRow = {
    owner,
    id,
    capsuleId,
    name: file.name,
    type: file.type,
    bytes: file.size,
    lastModified: file.lastModified,
    thumbnail,
    addedAt: Date.now(),
    complete: false,
    announced: false,
  };
  try {
    await putForKnown(row);
    let copied = 0;
    await readAhead(chunkCount(file.size), createChunkReader(file), async (chunk, index) => {
      signal?.throwIfAborted();
      await putChunk(row, index, chunk);
      copied += chunk.bytes.byteLength;
      onProgress?.(copied);
    });
    // Nothing counts as kept before all of it is seen to be there.
    if ((await countChunks(row)) !== chunkCount(file.size)) throw new KeepFileError('unreadable');
    const kept = { ...row, complete: true };
    await putForKnown(kept);
    return kept;
  } catch (error) {
    await removeFile(owner, id).catch(() => undefined);
    throw asKeepFileError(error, signal);
  }
}

/** Whoever has signed out, in another tab perhaps, leaves nothing behind, not even a copy under way. */
async function putForKnown(row: KeptFileRow): Promise<void> {
  await db.transaction('rw', db.files, db.meta, async () => {
    if ((await readKnownPerson()) !== row.owner) throw new KeepFileError('unreadable');
    await db.files.put(row);
  });
}

export function chunkCount(bytes: number): number {
  return Math.ceil(bytes / UPLOAD_PART_BYTES);
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

/**
 * Part of a kept file from `start` to the end of its chunk, nothing from its very end on;
 * `digest` only when it is the whole chunk.
 * @throws {KeepFileError} when it is not what was picked: missing, shortened or changed
 */
export async function readChunk(
  file: Pick<KeptFileRow, 'owner' | 'id' | 'bytes' | 'name'>,
  start: number,
): Promise<{ bytes: ArrayBuffer; digest: ArrayBuffer | null }> {
  if (start === file.bytes) return { bytes: new ArrayBuffer(0), digest: null };
  const index = Math.floor(start / UPLOAD_PART_BYTES);
  const chunk = await getChunk(file, index);
  const expected = Math.min(UPLOAD_PART_BYTES, file.bytes - index * UPLOAD_PART_BYTES);
  const isSound = chunk?.bytes instanceof ArrayBuffer && chunk.bytes.byteLength === expected;
  if (!isSound || !sameDigest(chunk.digest, await sha256(chunk.bytes))) {
    throw new KeepFileError('unreadable', { fileName: file.name });
  }
  const skip = start - index * UPLOAD_PART_BYTES;
  return skip === 0
    ? { bytes: chunk.bytes, digest: chunk.digest }
    : { bytes: chunk.bytes.slice(skip), digest: null };
}

/** All of a small file, for a body that carries it whole. */
export async function readWhole(file: KeptFileRow): Promise<Blob> {
  const parts: ArrayBuffer[] = [];
  for (let start = 0; start < file.bytes; start += UPLOAD_PART_BYTES) {
    parts.push((await readChunk(file, start)).bytes);
  }
  return new Blob(parts, { type: file.type });
}

/**
 * Copies that a closed page left unfinished are of no use, nor is what no draft and no queued
 * capsule names any more. Only while no page is copying: a copy under way looks the same.
 * @returns the files that a draft is left without
 */
export async function removeUnfinished(
  owner: string,
): Promise<Pick<KeptFileRow, 'capsuleId' | 'name'>[]> {
  const tables = [db.drafts, db.outbox, db.files, ...chunkTables()];
  return db.transaction('rw', tables, async () => {
    const kept = new Set<string>();
    const lost: Pick<KeptFileRow, 'capsuleId' | 'name'>[] = [];
    for (const { id, capsuleId, name, complete } of await db.files.where({ owner }).toArray()) {
      const key: [string, string] = [owner, capsuleId];
      const isNamed = (await db.drafts.get(key)) ?? (await db.outbox.get(key));
      // A damaged row is no leftover: its owner is told, and decides.
      if (complete !== false && isNamed) {
        kept.add(id);
        continue;
      }
      if (isNamed) lost.push({ capsuleId, name });
      await db.files.delete([owner, id]);
    }
    await removeChunksExcept(owner, kept);
    return lost;
  });
}

function asKeepFileError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof KeepFileError || signal?.aborted) return error;
  return new KeepFileError(isNoRoom(error) ? 'device-full' : 'device-failed', { cause: error });
}
