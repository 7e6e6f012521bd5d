import type { Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** One system call a megabyte; smaller ones cost more than the copy into this buffer. */
const BLOCK_BYTES = 1_048_576;

/** Flush this often while more arrives, instead of everything at the end. */
const FLUSH_BYTES = 16 * BLOCK_BYTES;

/**
 * @param to.at where in the file the first byte goes
 * @param to.hash gets every byte
 * @returns how many bytes were written
 */
export type DiskWriter = (
  source: Readable,
  file: FileHandle,
  to: { at: number; hash: Hash },
) => Promise<number>;

/**
 * Returns a function that writes a source to a file, hashes it, and resolves when it is on stable
 * storage. It uses two blocks in turn: one is written by the thread pool while the other is filled
 * and hashed. A file that fits into the first never gets the second.
 */
export function createDiskWriter(): DiskWriter {
  // Flushes block a thread of the small pool that every file call shares: one early flush at a time.
  let flushing = false;

  async function flushEarly(file: FileHandle): Promise<void> {
    flushing = true;
    try {
      await file.datasync();
    } finally {
      flushing = false;
    }
  }

  return async (source, file, { at, hash }) => {
    let bytes = 0;
    let written = 0;
    let block: Buffer | null = null;
    let spare: Buffer | null = null;
    let filled = 0;
    let unflushed = 0;
    let writing = Promise.resolve();
    let flushed = Promise.resolve();

    /** Copies as much as the block has room for. @returns how much */
    function fill(chunk: Buffer, from: number): number {
      block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
      const count = chunk.copy(block, filled, from);
      filled += count;
      return count;
    }

    /** Writes the block as soon as the previous one is written. */
    async function writeOut(): Promise<void> {
      await writing;
      if (!block) return;
      if (unflushed >= FLUSH_BYTES && !flushing) {
        await flushed;
        unflushed = 0;
        flushed = handled(flushEarly(file));
      }
      const full = block.subarray(0, filled);
      writing = handled(writeBlock(file, full, at + written));
      written += filled;
      hash.update(full);
      unflushed += filled;
      [block, spare] = [spare, block];
      filled = 0;
    }

    async function addAcrossBlocks(chunk: Buffer): Promise<void> {
      for (let taken = 0; taken < chunk.length; ) {
        taken += fill(chunk, taken);
        if (filled === BLOCK_BYTES) await writeOut();
      }
    }

    async function finish(): Promise<void> {
      await writeOut();
      await writing;
      // The kernel reports a failed flush once. A later flush may succeed although bytes were
      // lost.
      await flushed;
      await file.sync();
    }

    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        if (filled + chunk.length < BLOCK_BYTES) {
          fill(chunk, 0);
          done();
        } else {
          addAcrossBlocks(chunk).then(() => done(), done);
        }
      },
      final(done) {
        finish().then(() => done(), done);
      },
    });
    try {
      await pipeline(source, sink);
    } finally {
      // Wait for pending writes, because the caller closes the file next.
      await Promise.allSettled([writing, flushed]);
    }
    return bytes;
  };
}

/** Marks the promise as handled. Its error is thrown where it is awaited. */
function handled(work: Promise<void>): Promise<void> {
  work.catch(() => {});
  return work;
}

/** A write may take fewer bytes than it was given, for instance just before the disk is full. */
async function writeBlock(file: FileHandle, block: Buffer, at: number): Promise<void> {
  for (let written = 0; written < block.length; ) {
    const length = block.length - written;
    const result = await file.write(block, written, length, at + written);
    written += result.bytesWritten;
  }
}
