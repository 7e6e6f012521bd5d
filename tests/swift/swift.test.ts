import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Swift, startSwift } from '../../scripts/test/start-swift.mjs';
import { createBucket } from '../../server/files/bucket.ts';
import { assertUsable } from '../../server/files/create-file-store.ts';
import { fileStoreContract, own } from '../../server/files/file-store.contract.ts';
import type { FileStore } from '../../server/files/file-store.ts';
import { createS3Store } from '../../server/files/s3.ts';

let swift: Swift;
beforeAll(async () => {
  swift = await startSwift();
});
afterAll(() => swift.close());

/** Keys of all files that the bucket has anything of. */
async function keysOf(): Promise<string[]> {
  const objects = await Readable.from(createBucket(swift.options).list('')).toArray();
  return [...new Set(objects.map(({ key }) => key.replace(/\/piece-.*/, '')))];
}

/** The bucket, emptied. */
async function emptyStore(): Promise<FileStore> {
  const store = createS3Store(createBucket(swift.options));
  await store.delete(await keysOf());
  return store;
}

describe('a bucket of Swift', () => {
  fileStoreContract(emptyStore, keysOf);
});

describe('a bucket of Swift, besides', () => {
  it('refuses a wrong secret', async () => {
    const s3 = { ...swift.options, secretAccessKey: 'wrong' };
    await expect(assertUsable(createS3Store(createBucket(s3)), { s3 })).rejects.toThrow(
      'S3 answered 403 SignatureDoesNotMatch',
    );
  });

  it('keeps 40 MB whole that come in parallel parts', async () => {
    const store = await emptyStore();
    const bytes = randomBytes(40_000_000);
    await store.write(own('large'), Readable.from([bytes]));
    const stored = await store.read(own('large'));
    expect((await buffer(stored?.stream ?? Readable.from([]))).equals(bytes)).toBe(true);
  });

  it('begins a long file anew, and removes one, with what the service has of it', async () => {
    const store = await emptyStore();
    for (const key of [own('anew'), own('removed')]) {
      await store.append(key, 0, Readable.from([randomBytes(9_000_000)]));
      await store.append(key, 9_000_000, Readable.from([randomBytes(1_000)]));
    }
    await store.append(own('anew'), 0, Readable.from(['short']));
    await store.delete([own('removed')]);
    expect((await store.finish(own('anew'), 5)).bytes).toBe(5);
    expect(await keysOf()).toEqual([own('anew')]);
  });
});
