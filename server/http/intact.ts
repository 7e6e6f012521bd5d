import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import type { StoredBytes } from '../files/file-store.ts';

/** The bytes in the store are not those that were stored. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
}

/**
 * Passes a stored file on, but its last piece only if length and SHA-256 are those it was stored
 * with. Who receives it sees it break off, and never takes a damaged file for a whole one.
 * The stream fails with DamagedFileError. Closing it closes `source`.
 */
export function intact(source: Readable, stored: StoredBytes): Readable {
  const hash = createHash('sha256');
  let bytes = 0;
  let last: Buffer | null = null;
  const checked = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      bytes += piece.length;
      const before = last;
      last = piece;
      done(null, before);
    },
    flush(done) {
      const isSame = bytes === stored.bytes && hash.digest('hex') === stored.sha256;
      if (isSame) done(null, last);
      else done(new DamagedFileError('the stored bytes have changed'));
    },
  });
  return pipeline(source, checked, () => {});
}
