import { randomUUID } from 'node:crypto';
import { type S3Client, valuesOf } from './s3-client.ts';

/**
 * Objects cannot grow, so an unfinished file is several objects, `<key>/piece-<offset>-<random>`.
 * Each one counts up to the offset of the next.
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
 * The pieces of an unfinished file, in order. Of two pieces with the same offset, written by two
 * servers, the longer one counts.
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
