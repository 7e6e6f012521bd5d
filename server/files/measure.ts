import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { StoredBytes } from './file-store.ts';

/** Reads a stream to its end, for its length and SHA-256 alone. */
export async function measure(stream: Readable): Promise<StoredBytes> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    bytes += piece.length;
    hash.update(piece);
  }
  return { bytes, sha256: hash.digest('hex') };
}
