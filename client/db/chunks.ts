import { UPLOAD_CHUNK_BYTES } from '../../shared/limits.ts';
import { db } from './database.ts';
import type { Attachment, Chunk } from './tables.ts';

/* The bytes of attachments, in rows of 4 MiB: the unit of copying, resuming and checking. */

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
  const bytes = await readBytes(file, start, end);
  const digest = await sha256(bytes);
  return { attachmentId, index, bytes: storesBlobs() ? new Blob([bytes]) : bytes, digest };
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
 * Chromium stores large buffers as files anyway; a stored Blob is a handle on such a file, and its
 * bytes need not pass through the page to be sent. WebKit has lost Blobs that it stored.
 */
function storesBlobs(): boolean {
  const { navigator } = globalThis as { navigator?: WithBrands };
  return navigator?.userAgentData?.brands.some(({ brand }) => brand === 'Chromium') ?? false;
}

/** Not in TypeScript's library: only Chromium has it. */
interface WithBrands {
  userAgentData?: { brands: readonly { brand: string }[] };
}

/** The next part of a file to be sent. */
export interface FilePart {
  body: Blob;
  /** SHA-256; null where the browser cannot make it (plain http). */
  digest: ArrayBuffer | null;
}

/**
 * Up to `most` bytes from `offset` on, within one chunk. A whole chunk is sent without being read
 * here: the server compares its bytes with the digest.
 * @throws {AttachmentError} when the chunk is missing or cut short
 */
export async function readPart(file: Attachment, offset: number, most: number): Promise<FilePart> {
  // Every byte has arrived, but the server has not confirmed the file yet.
  if (offset === file.bytes) return { body: new Blob(), digest: null };
  const index = Math.floor(offset / UPLOAD_CHUNK_BYTES);
  const chunk = await getChunk(file, index);
  const start = offset % UPLOAD_CHUNK_BYTES;
  const whole = new Blob([chunk.bytes]);
  if (start === 0 && most >= whole.size) return { body: whole, digest: chunk.digest };
  const piece = (await readSound(file, index)).slice(start, start + most);
  return { body: new Blob([piece]), digest: await sha256(piece) };
}

/**
 * Reads the chunk at `offset` and compares it with what was copied.
 * @throws {AttachmentError} when it differs; with a cause when it cannot be read at present
 */
export async function assertSound(file: Attachment, offset: number): Promise<void> {
  if (offset < file.bytes) await readSound(file, Math.floor(offset / UPLOAD_CHUNK_BYTES));
}

async function readSound(file: Attachment, index: number): Promise<ArrayBuffer> {
  const chunk = await getChunk(file, index);
  let bytes: ArrayBuffer;
  try {
    bytes = await new Blob([chunk.bytes]).arrayBuffer();
  } catch (cause) {
    throw new AttachmentError('unreadable', { cause, file });
  }
  if (isSame(chunk.digest, await sha256(bytes))) return bytes;
  throw new AttachmentError('unreadable', { file });
}

async function getChunk(file: Attachment, index: number): Promise<Chunk> {
  const chunk = await db.chunks.get([file.id, index]);
  const expected = Math.min(UPLOAD_CHUNK_BYTES, file.bytes - index * UPLOAD_CHUNK_BYTES);
  if (chunk && new Blob([chunk.bytes]).size === expected) return chunk;
  throw new AttachmentError('unreadable', { file });
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

async function sha256(bytes: ArrayBuffer): Promise<ArrayBuffer | null> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  return subtle ? subtle.digest('SHA-256', bytes) : null;
}

/** What could not be hashed cannot be compared. */
function isSame(stored: ArrayBuffer | null, found: ArrayBuffer | null): boolean {
  if (stored === null || found === null) return true;
  const [a, b] = [new Uint8Array(stored), new Uint8Array(found)];
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
