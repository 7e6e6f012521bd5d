import { UPLOAD_CHUNK_BYTES } from '../../shared/limits.ts';
import type { KeptChunk } from './db.ts';
import { sha256 } from './digest.ts';
import { KeepFileError } from './keep-file-error.ts';
import { keepsBlobs } from './keeps-blobs.ts';

/**
 * Reads a picked file chunk by chunk, each with its SHA-256. Where chunks are buffers two of them
 * take turns: what was read is good until the chunk after the next is asked for.
 * @throws {KeepFileError} when the file has changed or is gone since it was picked
 */
export function createChunkReader(file: File): (index: number) => Promise<KeptChunk> {
  const spare: ArrayBuffer[] = [];
  const asBlobs = keepsBlobs();
  return async (index) => {
    const start = index * UPLOAD_CHUNK_BYTES;
    const size = Math.min(UPLOAD_CHUNK_BYTES, file.size - start);
    // A slice of its own for each chunk: the browser then looks each time whether the file is still the same.
    const slice = file.slice(start, start + size);
    const turn = asBlobs ? 0 : index % 2;
    const bytes = await fill(slice, size, spare[turn]);
    spare[turn] = bytes;
    const digest = await sha256(bytes);
    // A copy: the slice itself would stay a reference to the picked file where nothing reaches a disk.
    return { bytes: asBlobs ? new Blob([bytes]) : bytes, digest };
  };
}

/**
 * Whether a file is still what was picked, the browser looks only when a read begins: what is written
 * into it during the last read shows at one more look.
 * @throws {KeepFileError} when the file has changed or is gone since it was picked
 */
export async function assertUnchanged(file: File): Promise<void> {
  await fill(file.slice(0, 1), 1);
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
