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
 * The store for files of capsules and avatars. Keys are made by the server (letters, digits, `-`,
 * `/`), never from user input.
 */
export interface FileStore {
  /**
   * Stores everything that `source` yields under `key`, in place of what is there.
   * Resolves only when the bytes are on stable storage. When it rejects, for whatever
   * reason (the source failed, was destroyed, the disk is full), what was there still is, and nothing
   * else. A crash may leave a part under a new key, which `delete` removes.
   * A full disk rejects with AppError STORAGE_FULL.
   */
  write(key: string, source: Readable): Promise<StoredBytes>;
  /**
   * Appends to an unfinished file, at 0 for a new one. Bytes of an earlier call after `at` don't
   * count. Resolves with the number of appended bytes once they are on stable storage; if it
   * rejects, none count. One call at a time per key. Before `finish`, `read` is undefined, while
   * `delete` works.
   */
  append(key: string, at: number, source: Readable): Promise<number>;
  /**
   * Makes the first `bytes` of an unfinished file the file under this key. Can be repeated.
   * @throws {MissingBytesError} if there are fewer bytes
   */
  finish(key: string, bytes: number): Promise<StoredBytes>;
  /** The bytes, or null when there is no such key. `bytes` is the size of the whole file. */
  read(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number } | null>;
  /** Bytes of the whole file, or null when there is no such key. */
  size(key: string): Promise<number | null>;
  /**
   * Removes the bytes of these files; a key that does not exist is no error. A file that cannot be
   * removed does not stop the others. @returns why, for each of those
   */
  delete(keys: readonly string[]): Promise<Map<string, unknown>>;
  /** Rejects when the store cannot take bytes now; for `/readyz`. */
  check(): Promise<void>;
}

/** An unfinished file has fewer bytes than were appended, for instance after a restored disk. */
export class MissingBytesError extends Error {
  override readonly name = 'MissingBytesError';
}
