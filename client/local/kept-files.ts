import { UPLOAD_PART_BYTES } from '../../shared/limits.ts';
import { db, type KeptFileRow } from './db.ts';
import { randomUuid } from './uuid.ts';

/** The Web Lock that whoever copies files holds, shared, so that nobody takes them for leftovers. */
export const COPYING_LOCK = 'time-capsule-copying';

/** Why a picked file could not be kept on this device. Its text and the other files are untouched. */
export class KeepFileError extends Error {
  override readonly name = 'KeepFileError';
  readonly reason: 'device-full' | 'unreadable' | 'empty';

  constructor(reason: 'device-full' | 'unreadable' | 'empty', options?: { cause: unknown }) {
    super(reason, options);
    this.reason = reason;
  }
}

export interface KeepFileOptions {
  thumbnail?: ArrayBuffer | null;
  onProgress?: (bytes: number) => void;
  signal?: AbortSignal;
}

/**
 * Copies a picked file into this device's database, chunk by chunk: the file itself is only
 * a reference that may change or vanish before it is sent. One chunk is in memory at a time;
 * each has its SHA-256, which the server checks when it arrives.
 * @param capsuleId the draft it belongs to; its queued capsule has the same id
 * @throws {KeepFileError} when it does not fit or cannot be read; nothing of it is then kept
 */
export async function keepFile(
  owner: string,
  capsuleId: string,
  file: File,
  { thumbnail = null, onProgress, signal }: KeepFileOptions = {},
): Promise<KeptFileRow> {
  if (file.size === 0) throw new KeepFileError('empty');
  const id = randomUuid();
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
    sentBytes: 0,
  };
  try {
    await db.files.put(row);
    for (let start = 0; start < file.size; start += UPLOAD_PART_BYTES) {
      signal?.throwIfAborted();
      const bytes = await readSlice(file, start);
      const digest = await crypto.subtle.digest('SHA-256', bytes);
      await db.chunks.put({ owner, fileId: id, index: start / UPLOAD_PART_BYTES, bytes, digest });
      onProgress?.(Math.min(start + bytes.byteLength, file.size));
    }
    // Nothing counts as kept before all of it is seen to be there.
    const chunks = await db.chunks.where('fileId').equals(id).count();
    if (chunks !== chunkCount(file.size)) throw new KeepFileError('unreadable');
    const kept = { ...row, complete: true };
    await db.files.put(kept);
    return kept;
  } catch (error) {
    await removeFile(owner, id).catch(() => undefined);
    throw asKeepFileError(error, signal);
  }
}

export function chunkCount(bytes: number): number {
  return Math.ceil(bytes / UPLOAD_PART_BYTES);
}

/** The files of a draft or a queued capsule, in the order in which they were picked. */
export async function readFiles(owner: string, capsuleId: string): Promise<KeptFileRow[]> {
  const rows = await db.files.where('[owner+capsuleId]').equals([owner, capsuleId]).toArray();
  return rows.sort((a, b) => a.addedAt - b.addedAt || (a.id < b.id ? -1 : 1));
}

export async function removeFile(owner: string, id: string): Promise<void> {
  await db.transaction('rw', db.files, db.chunks, async () => {
    await db.chunks.where('fileId').equals(id).delete();
    await db.files.delete([owner, id]);
  });
}

export async function removeFilesOf(owner: string, capsuleId: string): Promise<void> {
  await db.transaction('rw', db.files, db.chunks, async () => {
    const ids = (await readFiles(owner, capsuleId)).map(({ id }) => id);
    await db.chunks.where('fileId').anyOf(ids).delete();
    await db.files.bulkDelete(ids.map((id): [string, string] => [owner, id]));
  });
}

/** Part of a kept file from `start` to the end of its chunk; `digest` only when it is the whole chunk. */
export async function readChunk(
  { id, bytes }: Pick<KeptFileRow, 'id' | 'bytes'>,
  start: number,
): Promise<{ bytes: ArrayBuffer; digest: ArrayBuffer | null }> {
  const index = Math.floor(start / UPLOAD_PART_BYTES);
  const chunk = await db.chunks.get([id, index]);
  const expected = Math.min(UPLOAD_PART_BYTES, bytes - index * UPLOAD_PART_BYTES);
  if (!chunk || chunk.bytes.byteLength !== expected) throw new KeepFileError('unreadable');
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
 */
export async function removeUnfinished(owner: string): Promise<void> {
  await db.transaction('rw', db.drafts, db.outbox, db.files, db.chunks, async () => {
    const kept = new Set<string>();
    for (const { id, capsuleId, complete } of await db.files.where({ owner }).toArray()) {
      const key: [string, string] = [owner, capsuleId];
      const isNamed = (await db.drafts.get(key)) ?? (await db.outbox.get(key));
      if (complete && isNamed) kept.add(id);
      else await db.files.delete([owner, id]);
    }
    const chunks = (await db.chunks.where({ owner }).primaryKeys()) as [string, number][];
    await db.chunks.bulkDelete(chunks.filter(([fileId]) => !kept.has(fileId)));
  });
}

async function readSlice(file: File, start: number): Promise<ArrayBuffer> {
  const end = Math.min(start + UPLOAD_PART_BYTES, file.size);
  try {
    const bytes = await file.slice(start, end).arrayBuffer();
    if (bytes.byteLength !== end - start) throw new KeepFileError('unreadable');
    return bytes;
  } catch (cause) {
    throw new KeepFileError('unreadable', { cause });
  }
}

function asKeepFileError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof KeepFileError || signal?.aborted) return error;
  // Dexie wraps the browser's error; its name says what it was.
  const names = [nameOf(error), nameOf(error instanceof Error && 'inner' in error && error.inner)];
  const full = names.includes('QuotaExceededError');
  return full ? new KeepFileError('device-full', { cause: error }) : error;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
