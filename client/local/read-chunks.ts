import { UPLOAD_CHUNK_BYTES } from '../../shared/limits.ts';
import type { KeptChunk } from './db.ts';
import { sha256 } from './digest.ts';
import { KeepFileError } from './keep-file-error.ts';
import { keepsBlobs } from './keeps-blobs.ts';

export interface ChunkReader {
  /** @throws {KeepFileError} when the file has changed or is gone since it was picked */
  read: (index: number) => Promise<KeptChunk>;
  /** After all of it: @throws {KeepFileError} when what was read is of several versions of the file */
  assertUnchanged: () => Promise<void>;
}

/** Bytes at both ends of each chunk by which it is known again. */
const MARK_BYTES = 1_024;

interface Mark {
  /** Its place in the file. */
  at: number;
  bytes: Uint8Array<ArrayBuffer>;
}

function marksOf(chunk: ArrayBuffer, start: number): Mark[] {
  const last = Math.max(0, chunk.byteLength - MARK_BYTES);
  return [0, last].map((from) => ({
    at: start + from,
    bytes: new Uint8Array(chunk.slice(from, from + MARK_BYTES)),
  }));
}

/**
 * Reads a picked file chunk by chunk, each with its SHA-256. Where chunks are buffers two of them
 * take turns: what was read is good until the chunk after the next is asked for.
 */
export function createChunkReader(file: File): ChunkReader {
  const spare: ArrayBuffer[] = [];
  const marks: Mark[] = [];
  const asBlobs = keepsBlobs();
  return {
    read: async (index) => {
      const start = index * UPLOAD_CHUNK_BYTES;
      const size = Math.min(UPLOAD_CHUNK_BYTES, file.size - start);
      // A slice of its own for each chunk: the browser then looks each time whether the file is still the same.
      const slice = file.slice(start, start + size);
      const turn = asBlobs ? 0 : index % 2;
      const bytes = await fill(slice, size, spare[turn]);
      spare[turn] = bytes;
      marks.push(...marksOf(bytes, start));
      const digest = await sha256(bytes);
      // A copy: the slice itself would stay a reference to the picked file where nothing reaches a disk.
      return { bytes: asBlobs ? new Blob([bytes]) : bytes, digest };
    },
    // The browser looks by the second in which a file was changed, and only when a read begins. What
    // is still being written when it is picked, or has its time put back, shows in its bytes alone.
    assertUnchanged: async () => {
      // In one read: each for itself would take more memory than the chunks.
      const again = new Blob(marks.map(({ at, bytes }) => file.slice(at, at + bytes.length)));
      const before = new Uint8Array(await new Blob(marks.map(({ bytes }) => bytes)).arrayBuffer());
      const now = new Uint8Array(await fill(again, before.length));
      if (now.some((byte, at) => byte !== before[at])) throw new KeepFileError('unreadable');
    },
  };
}

/**
 * Has the next value read while the present one is used, never more.
 * @throws whatever `read` or `use` throws first
 */
export async function readAhead<Value>(
  count: number,
  read: (index: number) => Promise<Value>,
  use: (value: Value, index: number) => Promise<void>,
): Promise<void> {
  let next = read(0);
  for (let index = 0; index < count; index += 1) {
    const using = use(await next, index);
    if (index + 1 < count) {
      next = read(index + 1);
      // Should `use` fail first, nobody waits for this one any more.
      next.catch(() => undefined);
    }
    await using;
  }
}

async function fill(source: Blob, size: number, spare?: ArrayBuffer): Promise<ArrayBuffer> {
  try {
    const reader = readerOf(source);
    const bytes = reader
      ? await readInto(reader, spare?.byteLength === size ? spare : new ArrayBuffer(size))
      : await source.arrayBuffer();
    if (bytes.byteLength === size) return bytes;
  } catch (cause) {
    throw new KeepFileError('unreadable', { cause });
  }
  throw new KeepFileError('unreadable');
}

/** Null where the browser reads files into buffers of its own only. */
function readerOf(source: Blob): ReadableStreamBYOBReader | null {
  try {
    return source.stream().getReader({ mode: 'byob' });
  } catch {
    return null;
  }
}

/** @returns the memory of `buffer`, which is now full, in a new buffer */
async function readInto(
  reader: ReadableStreamBYOBReader,
  buffer: ArrayBuffer,
): Promise<ArrayBuffer> {
  let bytes = buffer;
  let filled = 0;
  while (filled < bytes.byteLength) {
    const { done, value } = await reader.read(new Uint8Array(bytes, filled));
    if (done) throw new Error('The file has become shorter.');
    bytes = value.buffer;
    filled += value.byteLength;
  }
  await reader.cancel();
  return bytes;
}
