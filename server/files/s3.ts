import { Readable } from 'node:stream';
import { createLimiter } from '../limiter.ts';
import { type Bucket, PART_BYTES, S3Error } from './bucket.ts';
import { type FileStore, MissingBytesError, type StoredBytes } from './file-store.ts';
import { assertKey } from './keys.ts';
import { measure } from './measure.ts';
import {
  bytesOf,
  endOf,
  findPieces,
  objectsBelow,
  pieceKey,
  removeFiles,
} from './s3-unfinished.ts';

/** Each holds 25 MB. Shorter files, of one part, don't wait. */
const LONG_JOINED_AT_ONCE = 4;

/** Files as objects of a bucket, under their own keys. */
export function createS3Store(bucket: Bucket): FileStore {
  const inTurn = createLimiter(LONG_JOINED_AT_ONCE, Number.POSITIVE_INFINITY);

  async function write(key: string, source: Readable): Promise<StoredBytes> {
    source.on('error', () => {});
    try {
      assertKey(key);
      return await bucket.write(key, source);
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async function append(key: string, at: number, source: Readable): Promise<number> {
    source.on('error', () => {});
    try {
      assertKey(key);
      // Not the object itself: another server may have finished the file since this part began.
      if (at === 0) await bucket.remove(await objectsBelow(bucket, key));
      const pieces = at === 0 ? [] : await findPieces(bucket, key);
      const kept = endOf(pieces.filter(({ start }) => start < at));
      if (kept < at) throw new MissingBytesError(`${at - kept} bytes are missing`);
      await bucket.remove(pieces.filter(({ start }) => start >= at).map((piece) => piece.key));
      const { bytes } = await bucket.write(pieceKey(key, at), source);
      return bytes;
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async function finish(key: string, bytes: number): Promise<StoredBytes> {
    assertKey(key);
    return bytes > PART_BYTES ? inTurn(() => join(key, bytes)) : join(key, bytes);
  }

  async function join(key: string, bytes: number): Promise<StoredBytes> {
    const all = bytesOf(bucket, await findPieces(bucket, key), bytes);
    const joined = bucket.write(key, Readable.from(all, { objectMode: false }));
    const stored = await joined.catch(async (error: unknown) => {
      const isGone = error instanceof S3Error && error.status === 404;
      if (!isGone && !(error instanceof MissingBytesError)) throw error;
      return measureFinished(key, bytes);
    });
    await bucket.remove(await objectsBelow(bucket, key));
    return stored;
  }

  /** Asked again, the pieces may be gone, and the file is there. @throws {MissingBytesError} */
  async function measureFinished(key: string, bytes: number): Promise<StoredBytes> {
    const finished = await bucket.read(key);
    if (finished?.bytes === bytes) return measure(finished.stream);
    finished?.stream.destroy();
    throw new MissingBytesError(`${bytes} bytes are not there`);
  }

  return {
    write,
    append,
    finish,
    async read(key, range) {
      assertKey(key);
      return bucket.read(key, range);
    },
    async size(key) {
      assertKey(key);
      return bucket.size(key);
    },
    async delete(keys) {
      for (const key of keys) assertKey(key);
      return removeFiles(bucket, keys);
    },
    check: bucket.check,
  };
}
