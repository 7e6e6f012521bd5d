import { UPLOAD_CHUNK_BYTES } from '../../shared/limits.ts';
import { getChunk, getChunks, sizeOf } from './chunks.ts';
import type { KeptChunk, KeptFileRow } from './db.ts';
import { sameDigest, sha256 } from './digest.ts';
import { KeepFileError } from './keep-file-error.ts';
import { chunkCount } from './kept-files.ts';

type FileOfChunks = Pick<KeptFileRow, 'owner' | 'id' | 'bytes' | 'name'>;

/**
 * A chunk of a kept file that has the right size; whether its bytes are right is not looked at.
 * @throws {KeepFileError} when it is missing or shortened
 */
function checkChunk(file: FileOfChunks, index: number, chunk: KeptChunk | null): KeptChunk {
  const expected = Math.min(UPLOAD_CHUNK_BYTES, file.bytes - index * UPLOAD_CHUNK_BYTES);
  if (chunk && sizeOf(chunk.bytes) === expected) return chunk;
  throw new KeepFileError('unreadable', { file });
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
  throw new KeepFileError('unreadable', { file, cause });
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
