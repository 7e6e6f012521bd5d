import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../shared/limits.ts';
import { rare } from '../../tests/support/rare.ts';
import { type S3Server, startS3Server } from '../../tests/support/s3-server.ts';
import { type BucketOptions, createBucket } from './bucket.ts';
import { assertUsable } from './create-file-store.ts';
import { fileStoreContract, own } from './file-store.contract.ts';
import { type FileStore, MissingBytesError } from './file-store.ts';
import { createS3Store } from './s3.ts';

const PART = 5 * 1_048_576;
const LARGE = own('large');

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.close());

const storeOf = (options: BucketOptions) => createS3Store(createBucket(options));

/** The bucket, emptied. */
async function emptyStore(): Promise<FileStore> {
  server.fate = () => 'pass';
  const store = storeOf(server.options);
  await store.delete(await keysOf());
  return store;
}

/** Keys of all files that the bucket has anything of. */
async function keysOf(): Promise<string[]> {
  const objects = await Readable.from(createBucket(server.options).list('')).toArray();
  return [...new Set(objects.map(({ key }) => key.replace(/\/piece-.*/, '')))];
}

describe('s3', () => {
  fileStoreContract(emptyStore, keysOf);
});

describe('s3, in parts and broken', () => {
  let store: FileStore;
  beforeEach(async () => {
    store = await emptyStore();
  });

  const write = (bytes: Buffer) => store.write(LARGE, Readable.from([bytes]));
  const read = async () => {
    const stored = await store.read(LARGE);
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
      const part = await store.read(LARGE, { start: 100, end: 199 });
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

  test('says why it gave up, also where the service keeps the parts', async () => {
    server.fate = ({ method }) => (method === 'DELETE' ? 'refuse-507' : 'pass');
    const source = Readable.from(
      (async function* () {
        yield randomBytes(PART + 1);
        throw new Error('the file is too large');
      })(),
    );
    await expect(store.write(LARGE, source)).rejects.toThrow('the file is too large');
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
    expect(ended).toEqual([expect.stringContaining(`${LARGE}?uploadId=`)]);
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
    const s3 = { ...server.options, bucket: 'elsewhere' };
    await expect(assertUsable(storeOf(s3), { s3 })).rejects.toThrow(
      `The bucket elsewhere at ${s3.endpoint} cannot be used: S3 answered 404 NoSuchBucket. Are the S3_… variables right?`,
    );
  });

  rare('the end of a long file that grows can be asked for twice, at once and later', async () => {
    const bytes = randomBytes(8_600_000);
    await store.append(LARGE, 0, Readable.from([bytes.subarray(0, 8_500_000)]));
    await store.append(LARGE, 8_500_000, Readable.from([bytes.subarray(8_500_000)]));
    const broken = breakOnce((line) => /^POST .*uploadId=/.test(line), 'lose-answer');
    const whole = await Promise.all([1, 2].map(() => store.finish(LARGE, bytes.length)));
    whole.push(await store.finish(LARGE, bytes.length));
    expect(new Set(whole.map(({ sha256 }) => sha256)).size).toBe(1);
    expect(broken()).toBe(1);
    expect((await read())?.equals(bytes)).toBe(true);
    const objects = Readable.from(createBucket(server.options).list(LARGE));
    expect(await objects.toArray()).toHaveLength(1);
  });

  test('a first part that reaches the bucket late leaves the finished file as it is', async () => {
    await store.append(LARGE, 0, Readable.from(['whole']));
    await store.finish(LARGE, 5);
    await store.append(LARGE, 0, Readable.from(['late']));
    expect(String(await read())).toBe('whole');
  });

  test('says at the next part, not at the end, that a piece is lost', async () => {
    const bucket = createBucket(server.options);
    for (const lost of [0, 5]) {
      await store.append(LARGE, 0, Readable.from(['01234']));
      await store.append(LARGE, 5, Readable.from(['56789']));
      for await (const { key } of bucket.list(`${LARGE}/piece-${`${lost}`.padStart(15, '0')}`)) {
        await bucket.remove([key]);
      }
      await expect(store.append(LARGE, 10, Readable.from(['x']))).rejects.toThrow(
        MissingBytesError,
      );
    }
  });

  rare('joins four long files at a time, and a short one beside them', async () => {
    const bytes = randomBytes(PART + 1);
    const keys = Array.from({ length: 6 }, (_, index) => own(`${index}`));
    for (const key of keys) await store.append(key, 0, Readable.from([bytes]));
    await store.append(LARGE, 0, Readable.from(['x']));
    const joining = new Set<string>();
    const ends: string[] = [];
    let most = 0;
    server.fate = ({ method, url = '' }) => {
      const [path = ''] = url.split('?');
      if (method === 'POST' && url.includes('?uploads')) joining.add(path);
      most = Math.max(most, joining.size);
      if (method === 'POST' && url.includes('uploadId=')) joining.delete(path);
      return 'pass';
    };
    const finish = async (key: string, length: number) => {
      await store.finish(key, length);
      ends.push(key);
    };
    await Promise.all([...keys.map((key) => finish(key, bytes.length)), finish(LARGE, 1)]);
    expect(most).toBe(4);
    // Behind the others in line, three would have ended before it.
    expect(ends.slice(0, 3)).toContain(LARGE);
  });

  test('deletes more objects than one call takes', async () => {
    const bucket = createBucket(server.options);
    await bucket.write(LARGE, Readable.from(['x']));
    let calls = 0;
    server.fate = () => {
      calls += 1;
      return 'pass';
    };
    await bucket.remove([...Array.from({ length: 1_000 }, (_, index) => own(`${index}`)), LARGE]);
    expect(calls).toBe(2);
    expect(await bucket.size(LARGE)).toBeNull();
  });

  test('deletes the objects of many files in one call', async () => {
    const keys = Array.from({ length: 9 }, (_, index) => own(`${index}`));
    for (const key of keys) await store.append(key, 0, Readable.from(['x']));
    const posted: string[] = [];
    server.fate = ({ method, url = '' }) => {
      if (method === 'POST') posted.push(url);
      return 'pass';
    };
    expect(await store.delete(keys)).toEqual(new Map());
    expect(posted).toEqual([expect.stringContaining('?delete')]);
    expect(await keysOf()).toEqual([]);
  });

  test('says which files a service refuses to delete, and which it was away for', async () => {
    // Of the version before, whose pieces went by another name.
    const refused = `<R><Error><Key>${own('1')}/parts</Key><Code>AccessDenied</Code></Error></R>`;
    const left = `<R><Contents><Key>${own('1')}/parts</Key></Contents></R>`;
    const service = createServer(({ method, url = '' }, response) => {
      if (method === 'GET' && url.includes(encodeURIComponent(own('2')))) response.statusCode = 403;
      const listed = url.includes(encodeURIComponent(own('1'))) ? left : '<R></R>';
      response.end(method === 'POST' ? refused : listed);
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    const store = storeOf({ ...server.options, endpoint: `http://127.0.0.1:${port}` });
    const failures = await store.delete(['1', '2', '3'].map(own));
    expect([...failures.keys()].sort()).toEqual(['1', '2'].map(own).sort());
    service.closeAllConnections();
    service.close();
  });

  test('without keys, signs as the role that the machine has', async () => {
    const role = createServer((_, response) => {
      const Expiration = new Date(Date.now() + DAY_MS).toISOString();
      const session = { AccessKeyId: 'S3RVER', SecretAccessKey: 'S3RVER', Token: 'of a session' };
      response.end(JSON.stringify({ ...session, Expiration }));
    }).listen(0, '127.0.0.1');
    await once(role, 'listening');
    const { port } = role.address() as AddressInfo;
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `http://127.0.0.1:${port}/`);
    const tokens: unknown[] = [];
    server.fate = ({ headers }) => {
      tokens.push(headers['x-amz-security-token']);
      return 'pass';
    };
    const { accessKeyId, secretAccessKey, ...keyless } = server.options;
    await storeOf(keyless).check();
    expect(tokens).toEqual(['of a session']);
    role.closeAllConnections();
    role.close();
  });
});
