import { randomUUID } from 'node:crypto';
import { type S3Client, valuesOf } from './s3-client.ts';

/**
 * Objects cannot grow, so an unfinished file is several: `<key>/piece-<where it begins>-<random>`.
 * Each counts up to where the next one begins.
 */
export interface Piece {
  key: string;
  /** Where in the file it begins, in bytes. */
  start: number;
  bytes: number;
}

const PIECE = /\/piece-(\d{15})-[0-9a-f]{8}$/;

export function pieceKey(key: string, start: number): string {
  return `${key}/piece-${String(start).padStart(15, '0')}-${randomUUID().slice(0, 8)}`;
}

/** The key of the file that an object is, or is a piece of. */
export function fileKeyOf(objectKey: string): string {
  return objectKey.replace(PIECE, '');
}

/**
 * The pieces of an unfinished file, in order, one for each place: of two that begin at the same
 * one, left by two servers, the longer. One of 100 MB has at most 1,600.
 */
export async function findPieces(client: S3Client, key: string): Promise<Piece[]> {
  const pieces: Piece[] = [];
  const query: Record<string, string> = { prefix: `${key}/piece-` };
  for (;;) {
    const xml = await (await client.must({ method: 'GET', query })).text();
    const keys = valuesOf(xml, 'Key');
    const sizes = valuesOf(xml, 'Size');
    for (const [index, found] of keys.entries()) {
      const start = Number(PIECE.exec(found)?.[1] ?? Number.NaN);
      const piece = { key: found, start, bytes: Number(sizes[index]) };
      const before = pieces.at(-1);
      if (before?.start !== start) pieces.push(piece);
      else if (before.bytes < piece.bytes) pieces[pieces.length - 1] = piece;
    }
    const last = keys.at(-1);
    if (valuesOf(xml, 'IsTruncated')[0] !== 'true' || last === undefined) return pieces;
    query.marker = last;
  }
}
