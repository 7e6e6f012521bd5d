import { randomUUID } from 'node:crypto';
import type { Bucket } from './bucket.ts';
import { MissingBytesError } from './file-store.ts';

/**
 * A file that grows is objects `<key>/piece-<offset>-<random>`, each of which counts up to the offset of
 * the next. At its end they are joined.
 */
interface Piece {
  key: string;
  /** Where in the file it begins, in bytes. */
  start: number;
  bytes: number;
}

/** Buckets refuse many more requests at once. */
const LISTS_AT_ONCE = 8;

const PIECE = /\/piece-(\d{15})-[0-9a-f]{8}$/;

export function pieceKey(key: string, start: number): string {
  return `${key}/piece-${String(start).padStart(15, '0')}-${randomUUID().slice(0, 8)}`;
}

/**
 * What there is of a file, in order. Of two pieces with the same offset, written by two servers,
 * the longer one counts.
 */
export async function findPieces(bucket: Bucket, key: string): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const { key: found, bytes } of bucket.list(`${key}/`)) {
    const [, offset] = PIECE.exec(found) ?? [];
    if (offset === undefined) continue;
    const piece = { key: found, start: Number(offset), bytes };
    const before = pieces.at(-1);
    if (before?.start !== piece.start) pieces.push(piece);
    else if (before.bytes < bytes) pieces[pieces.length - 1] = piece;
  }
  return pieces;
}

/** How far pieces reach without a gap, in bytes. */
export function endOf(pieces: readonly Piece[]): number {
  return pieces.reduce((end, { start, bytes }) => (start <= end ? start + bytes : end), 0);
}

/** The first `end` bytes of a file, from its pieces. @throws {MissingBytesError} */
export async function* bytesOf(
  bucket: Bucket,
  pieces: readonly Piece[],
  end: number,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const pieceEnd = Math.min(pieces[index + 1]?.start ?? end, end);
    if (pieceEnd <= at) continue;
    const range = { start: at - piece.start, end: pieceEnd - piece.start - 1 };
    const stored = piece.start <= at ? await bucket.read(piece.key, range) : null;
    if (!stored) break;
    for await (const bytes of stored.stream as AsyncIterable<Uint8Array>) {
      at += bytes.length;
      yield bytes;
    }
    if (at !== pieceEnd) break;
  }
  if (at !== end) throw new MissingBytesError(`${end - at} bytes are missing`);
}

/**
 * Removes every object of these files. @returns why some could not be removed, by the keys of the files
 */
export async function removeFiles(
  bucket: Bucket,
  keys: readonly string[],
): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>();
  const fileOf = new Map<string, string>();
  const look = async (key: string) => {
    try {
      for (const object of [key, ...(await objectsBelow(bucket, key))]) fileOf.set(object, key);
    } catch (error) {
      failures.set(key, error);
    }
  };
  for (let start = 0; start < keys.length; start += LISTS_AT_ONCE) {
    await Promise.all(keys.slice(start, start + LISTS_AT_ONCE).map(look));
  }
  for (const [object, error] of await bucket.removeEach([...fileOf.keys()])) {
    failures.set(fileOf.get(object) ?? object, error);
  }
  return failures;
}

/** What there is of a file that grows. */
export async function objectsBelow(bucket: Bucket, key: string): Promise<string[]> {
  const objects: string[] = [];
  for await (const { key: found } of bucket.list(`${key}/`)) objects.push(found);
  return objects;
}
