import { UPLOAD_CHUNK_BYTES } from '../../shared/limits.ts';
import { db } from './database.ts';
import type { Attachment, Chunk } from './tables.ts';

/* The bytes of attachments, in rows of 4 MiB: the unit of copying and resuming. */

/** `device-failed`: the database refused for another reason than room. */
export type AttachmentProblem = 'device-full' | 'device-failed' | 'unreadable';

/** A file could not be copied, or its copy cannot be read. */
export class AttachmentError extends Error {
  override readonly name = 'AttachmentError';
  readonly problem: AttachmentProblem;
  readonly file: Pick<Attachment, 'id' | 'name'> | undefined;

  constructor(
    problem: AttachmentProblem,
    options: { cause?: unknown; file?: Pick<Attachment, 'id' | 'name'> | undefined } = {},
  ) {
    super(problem, options);
    this.problem = problem;
    this.file = options.file;
  }
}

/** Reads one chunk of a picked file. */
export async function readFileChunk(
  attachmentId: string,
  file: File,
  index: number,
): Promise<Chunk> {
  const start = index * UPLOAD_CHUNK_BYTES;
  const end = Math.min(file.size, start + UPLOAD_CHUNK_BYTES);
  return { attachmentId, index, bytes: await readBytes(file, start, end) };
}

/** @throws {AttachmentError} when the file has changed or is gone since it was picked */
export async function readBytes(file: File, start: number, end: number): Promise<ArrayBuffer> {
  let bytes: ArrayBuffer;
  try {
    bytes = await file.slice(start, end).arrayBuffer();
  } catch (cause) {
    throw new AttachmentError('unreadable', { cause });
  }
  if (bytes.byteLength === end - start) return bytes;
  throw new AttachmentError('unreadable');
}

/** @throws {AttachmentError} when another tab has removed the attachment meanwhile */
export async function putChunk(chunk: Chunk): Promise<void> {
  await db.transaction('rw', db.attachments, db.chunks, async () => {
    if (!(await db.attachments.get(chunk.attachmentId))) throw new AttachmentError('unreadable');
    await db.chunks.put(chunk);
  });
}

/**
 * The next part of a file to be sent: up to `most` bytes from `offset` on, within one chunk.
 * @throws {AttachmentError} when the chunk is missing or cut short
 */
export async function readPart(file: Attachment, offset: number, most: number): Promise<Blob> {
  // Every byte has arrived, but the server has not confirmed the file yet.
  if (offset === file.bytes) return new Blob();
  const index = Math.floor(offset / UPLOAD_CHUNK_BYTES);
  const chunk = await db.chunks.get([file.id, index]);
  const bytes = new Blob(chunk && [chunk.bytes]);
  const expected = Math.min(UPLOAD_CHUNK_BYTES, file.bytes - index * UPLOAD_CHUNK_BYTES);
  if (bytes.size !== expected) throw new AttachmentError('unreadable', { file });
  const start = offset % UPLOAD_CHUNK_BYTES;
  return bytes.slice(start, start + most);
}

export function chunksOf(id: string) {
  return db.chunks.where('[attachmentId+index]').between([id, 0], [id, Infinity]);
}

export function countStoredChunks(id: string): Promise<number> {
  return chunksOf(id).count();
}

export function chunkCount(bytes: number): number {
  return Math.ceil(bytes / UPLOAD_CHUNK_BYTES);
}
