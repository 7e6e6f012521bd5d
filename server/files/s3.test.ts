import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type S3Server, startS3Server } from '../../tests/support/s3-server.ts';
import { assertUsable } from './create-file-store.ts';
import { fileStoreContract } from './file-store.contract.ts';
import type { FileStore } from './file-store.ts';
import { createS3Store } from './s3.ts';
import { createS3Client } from './s3-client.ts';

const PART = 5 * 1_048_576;

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.close());

/** The bucket, emptied. */
async function emptyStore(answerMs?: number): Promise<FileStore> {
  server.fate = () => 'pass';
  const store = createS3Store(createS3Client(server.options, answerMs));
  for await (const { key } of store.list()) await store.delete(key);
  return store;
}

describe('s3', () => {
  fileStoreContract(() => emptyStore());
});

describe('s3, in parts and broken', () => {
  let store: FileStore;
  beforeEach(async () => {
    store = await emptyStore();
  });

  const write = (bytes: Buffer) => store.write('large', Readable.from([bytes]));
  const read = async () => {
    const stored = await store.read('large');
    return stored && buffer(stored.stream);
  };
  /** Breaks the nth call of this method and address, once. */
  const breakOnce = (matches: (line: string) => boolean, fate: ReturnType<S3Server['fate']>) => {
    let broken = 0;
    server.fate = ({ method, url }) => {
      if (broken > 0 || !matches(`${method} ${url}`)) return 'pass';
      broken += 1;
      return fate;
    };
    return () => broken;
  };

  test.each([PART - 1, PART, PART + 1, 2 * PART, 2 * PART + 12_345])(
    'keeps %i bytes whole',
    async (length) => {
      const bytes = randomBytes(length);
      expect((await write(bytes)).bytes).toBe(length);
      expect((await read())?.equals(bytes)).toBe(true);
      const part = await store.read('large', { start: 100, end: 199 });
      expect(part?.bytes).toBe(length);
      expect(
        (await buffer(part?.stream ?? Readable.from([]))).equals(bytes.subarray(100, 200)),
      ).toBe(true);
    },
  );

  test.each([
    [
      'the beginning fails',
      (line: string) => line.startsWith('POST') && line.endsWith('uploads='),
      'refuse-503',
    ],
    ['a part fails', (line: string) => line.includes('partNumber=2'), 'refuse-500'],
    [
      'the answer to a part is lost',
      (line: string) => line.includes('partNumber=1'),
      'lose-answer',
    ],
    [
      'the answer to the end is lost',
      (line: string) => /^POST .*uploadId=/.test(line),
      'lose-answer',
    ],
  ] as const)('is whole although %s', async (_, matches, fate) => {
    const bytes = randomBytes(PART + 99);
    const broken = breakOnce(matches, fate);
    await write(bytes);
    expect(broken()).toBe(1);
    expect((await read())?.equals(bytes)).toBe(true);
  });

  test('a body that is cut is an error, never a shorter file', async () => {
    await write(randomBytes(2_000_000));
    breakOnce((line) => line.startsWith('GET'), 'cut-body');
    await expect(read()).rejects.toThrow();
  });

  test('a service that stays away is said to be unavailable, and leaves nothing behind', async () => {
    const ended: string[] = [];
    server.fate = ({ method, url }) => {
      if (method === 'DELETE') ended.push(url ?? '');
      return method === 'PUT' ? 'refuse-503' : 'pass';
    };
    await expect(write(randomBytes(PART + 1))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await read()).toBeNull();
    expect(ended).toEqual([expect.stringMatching(/large\?uploadId=/)]);
  });

  test('a full service is said to be full, at once', async () => {
    let calls = 0;
    server.fate = () => {
      calls += 1;
      return 'refuse-507';
    };
    await expect(write(randomBytes(10))).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect(calls).toBe(1);
  });

  test('says why a bucket that is not there cannot be used', async () => {
    const client = createS3Client({ ...server.options, bucket: 'elsewhere' });
    const s3 = { ...server.options, bucket: 'elsewhere' };
    await expect(assertUsable(createS3Store(client), { s3 })).rejects.toThrow(
      `The bucket elsewhere at ${s3.endpoint} cannot be used: S3 answered 404 NoSuchBucket. Are the S3_… variables right?`,
    );
  });

  test('lists more than one answer holds', async () => {
    const few = createS3Store(createS3Client(server.options), 3);
    const keys = ['a', 'b/1', 'b/2', 'c', 'd', 'e', 'f'];
    for (const key of keys) await few.write(key, Readable.from([key]));
    const found: string[] = [];
    for await (const { key } of few.list()) found.push(key);
    expect(found).toEqual(keys);
  });
});
