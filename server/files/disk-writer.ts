import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredBytes } from './file-store.ts';

/** One system call a megabyte; smaller ones cost more than the copy into this buffer. */
const BLOCK_BYTES = 1_048_576;

/**
 * Writes all of `source` to `file` and hashes it on the way. Two blocks take turns:
 * one is on its way to the disk in the thread pool while the other is filled and
 * hashed here, so memory stays at two blocks however long the source is.
 */
export async function writeAll(source: Readable, file: FileHandle): Promise<StoredBytes> {
  const hash = createHash('sha256');
  let bytes = 0;
  let block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  let spare = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  let filled = 0;
  let writing: Promise<void> = Promise.resolve();

  /** Hands the block on as soon as the one before it is written. */
  async function flush(): Promise<void> {
    await writing;
    const full = block.subarray(0, filled);
    writing = writeBlock(file, full);
    // The failure is thrown by the next `await writing`; until then it must not count as unhandled.
    writing.catch(() => {});
    hash.update(full);
    [block, spare] = [spare, block];
    filled = 0;
  }

  async function addAcrossBlocks(chunk: Buffer, from: number): Promise<void> {
    for (let taken = from; taken < chunk.length; ) {
      const count = chunk.copy(block, filled, taken);
      taken += count;
      filled += count;
      if (filled === BLOCK_BYTES) await flush();
    }
  }

  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (filled + chunk.length < BLOCK_BYTES) {
        filled += chunk.copy(block, filled);
        done();
      } else {
        addAcrossBlocks(chunk, 0).then(() => done(), done);
      }
    },
    final(done) {
      flush()
        .then(() => writing)
        .then(() => done(), done);
    },
  });
  try {
    await pipeline(source, sink);
  } finally {
    // The caller closes the file next: no write may still be under way.
    await writing.catch(() => {});
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** A write may take fewer bytes than it was given, for instance just before the disk is full. */
async function writeBlock(file: FileHandle, block: Buffer): Promise<void> {
  for (let written = 0; written < block.length; ) {
    const result = await file.write(block, written);
    written += result.bytesWritten;
  }
}
