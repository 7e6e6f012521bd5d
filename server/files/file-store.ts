import type { Readable } from 'node:stream';

/** A part of a file, both ends included, as in an HTTP range. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredBytes {
  bytes: number;
  /** Lower-case hex, computed while the bytes passed. */
  sha256: string;
}

/**
 * Where the bytes of capsules and avatars are kept. Keys are made by the server
 * (letters, digits, `-`, `/`), never from anything a person typed.
 */
export interface FileStore {
  /**
   * Stores everything that `source` yields under a new `key`.
   * Resolves only when the bytes are on stable storage. When it rejects, for whatever
   * reason (the source failed, was destroyed, the disk is full), nothing is left behind.
   * A full disk rejects with AppError STORAGE_FULL.
   */
  write(key: string, source: Readable): Promise<StoredBytes>;
  /**
   * Adds to an unfinished file, which begins `at` 0. What an earlier call left behind `at` goes.
   * Resolves to how many bytes were added when they are on stable storage; when it rejects,
   * none count. One call at a time for a key. Until the file is finished, nothing is said of
   * what `read` gives; `delete` removes it, and it is listed.
   */
  append(key: string, at: number, source: Readable): Promise<number>;
  /**
   * Makes the first `bytes` of an unfinished file the file under this key. It may be asked again.
   * @throws {MissingBytesError} when they are not there
   */
  finish(key: string, bytes: number): Promise<StoredBytes>;
  /** The bytes, or null when there is no such key. `bytes` is the size of the whole file. */
  read(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number } | null>;
  /** Removes the bytes; a key that does not exist is no error. */
  delete(key: string): Promise<void>;
  /**
   * Every key with the milliseconds since its last change, for the sweep and for fsck. Both ends
   * of that time are the store's own clock: the server's may be held a long way from it.
   */
  list(): AsyncIterable<{ key: string; ageMs: number }>;
  /** Removes what crashes left half written, if it is that old; resolves to how many files that were. */
  removeStale(olderThanMs: number): Promise<number>;
  /** Rejects when the store cannot take bytes now; for `/readyz`. */
  check(): Promise<void>;
}

/** An unfinished file has fewer bytes than were once added: something else than the store has changed it. */
export class MissingBytesError extends Error {
  override readonly name = 'MissingBytesError';
}
