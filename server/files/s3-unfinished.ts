import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer, json } from 'node:stream/consumers';
import type { Bucket } from './bucket.ts';
import { MissingBytesError } from './file-store.ts';

/**
 * A file that grows. Its beginning is parts of a multipart upload, all of PART_BYTES; they cannot be
 * read or cut, so only bytes that count for good become one. What follows is objects
 * `<key>/piece-<offset>-<random>`, each of which counts up to the offset of the next. The object
 * `<key>/parts` remembers the upload.
 */
export interface Unfinished {
  parts: Parts | null;
  pieces: readonly Piece[];
}

interface Parts {
  uploadId: string;
  etags: string[];
}

interface Piece {
  key: string;
  /** Where in the file it begins, in bytes. */
  start: number;
  bytes: number;
}

/** Two parts of the client, which is more than S3's smallest. */
export const PART_BYTES = 8 * 1_048_576;

/** Buckets refuse many more requests at once. */
const LISTS_AT_ONCE = 8;

const PIECE = /\/piece-(\d{15})-[0-9a-f]{8}$/;
const PARTS = '/parts';

export function pieceKey(key: string, start: number): string {
  return `${key}/piece-${String(start).padStart(15, '0')}-${randomUUID().slice(0, 8)}`;
}

/** The key of the file that an object is, or is a piece of. */
export function fileKeyOf(objectKey: string): string {
  return objectKey.replace(PIECE, '').replace(/\/parts$/, '');
}

/** How many bytes the parts have. */
export function endOf(parts: Parts | null): number {
  return (parts?.etags.length ?? 0) * PART_BYTES;
}

/**
 * What there is of a file, in order. Of two pieces with the same offset, written by two servers,
 * the longer one counts.
 */
export async function findUnfinished(bucket: Bucket, key: string): Promise<Unfinished> {
  const pieces: Piece[] = [];
  let parts: Parts | null = null;
  for await (const { key: found, bytes } of bucket.list(`${key}/`)) {
    if (found === key + PARTS) parts = await readParts(bucket, key);
    const [, offset] = PIECE.exec(found) ?? [];
    if (offset === undefined) continue;
    const piece = { key: found, start: Number(offset), bytes };
    const before = pieces.at(-1);
    if (before?.start !== piece.start) pieces.push(piece);
    else if (before.bytes < bytes) pieces[pieces.length - 1] = piece;
  }
  return { parts, pieces };
}

async function readParts(bucket: Bucket, key: string): Promise<Parts | null> {
  const stored = await bucket.read(key + PARTS);
  return stored && ((await json(stored.stream)) as Parts);
}

/** Makes parts of all full ones before `end`, and removes their pieces. */
export async function moveToParts(
  bucket: Bucket,
  key: string,
  { parts, pieces }: Unfinished,
  end: number,
): Promise<Parts | null> {
  if (end - endOf(parts) < PART_BYTES) return parts;
  const { uploadId, etags } = parts ?? { uploadId: await bucket.startParts(key), etags: [] };
  const moved: Parts = { uploadId, etags: [...etags] };
  while (end - endOf(moved) >= PART_BYTES) {
    const start = endOf(moved);
    const part = await buffer(bytesOf(bucket, pieces, start, start + PART_BYTES));
    moved.etags.push(await bucket.putPart(key, uploadId, moved.etags.length + 1, part));
  }
  await bucket.write(key + PARTS, Readable.from([JSON.stringify(moved)]));
  const isMoved = (_: Piece, index: number) =>
    (pieces[index + 1]?.start ?? Number.POSITIVE_INFINITY) <= endOf(moved);
  await bucket.remove(pieces.filter(isMoved).map((piece) => piece.key));
  return moved;
}

/** The bytes from `start` to `end` of the pieces. @throws {MissingBytesError} */
export async function* bytesOf(
  bucket: Bucket,
  pieces: readonly Piece[],
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let at = start;
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
 * Removes every object of these files, and their multipart uploads. @returns why some could not be
 * removed, by the keys of the files
 */
export async function removeFiles(
  bucket: Bucket,
  keys: readonly string[],
): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>();
  const objects: string[] = [];
  const look = async (key: string) => {
    try {
      objects.push(...(await objectsToRemove(bucket, key)));
    } catch (error) {
      failures.set(key, error);
    }
  };
  for (let start = 0; start < keys.length; start += LISTS_AT_ONCE) {
    await Promise.all(keys.slice(start, start + LISTS_AT_ONCE).map(look));
  }
  for (const [object, error] of await bucket.removeEach(objects)) {
    failures.set(fileKeyOf(object), error);
  }
  return failures;
}

/** The objects of a file, whose multipart uploads are ended. */
async function objectsToRemove(bucket: Bucket, key: string): Promise<string[]> {
  const objects = [key];
  for await (const { key: found } of bucket.list(`${key}/`)) objects.push(found);
  const parts = objects.includes(key + PARTS) ? await readParts(bucket, key) : null;
  if (parts) await bucket.abortParts(key, parts.uploadId);
  await endUploads(bucket, key);
  return objects;
}

/** Ends the multipart uploads of a file and its pieces, as far as the service lists them. */
export async function endUploads(bucket: Bucket, key: string): Promise<void> {
  for (const upload of await bucket.uploadsOf(key)) {
    await bucket.abortParts(upload.key, upload.uploadId);
  }
}
