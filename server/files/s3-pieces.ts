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
}

const PIECE = /\/piece-(\d{15})-[0-9a-f]{8}$/;

export function pieceKey(key: string, start: number): string {
  return `${key}/piece-${String(start).padStart(15, '0')}-${randomUUID().slice(0, 8)}`;
}

/** The key of the file that an object is, or is a piece of. */
export function fileKeyOf(objectKey: string): string {
  return objectKey.replace(PIECE, '');
}

/** The pieces of an unfinished file, in order. One of 100 MB in the smallest parts has fewer than 1,600. */
export async function findPieces(client: S3Client, key: string): Promise<Piece[]> {
  const pieces: Piece[] = [];
  const query: Record<string, string> = { prefix: `${key}/piece-` };
  for (;;) {
    const xml = await (await client.must({ method: 'GET', query })).text();
    const keys = valuesOf(xml, 'Key');
    for (const found of keys) {
      const start = PIECE.exec(found)?.[1];
      if (start !== undefined) pieces.push({ key: found, start: Number(start) });
    }
    const last = keys.at(-1);
    if (valuesOf(xml, 'IsTruncated')[0] !== 'true' || last === undefined) return pieces;
    query.marker = last;
  }
}
