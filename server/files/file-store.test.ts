import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../tests/support/memory-store.ts';
import { storedKeys } from '../../tests/support/stored-keys.ts';
import { createDiskStore } from './disk.ts';
import { diskError } from './disk-errors.ts';
import { fileStoreContract } from './file-store.contract.ts';

describe('memory', () => {
  fileStoreContract(
    async () => createMemoryStore(),
    async (store) => store.keys(),
  );
});

describe('disk', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'file-store-'));
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });

  fileStoreContract(
    async () => createDiskStore(join(root, 'files')),
    () => storedKeys({ dataDir: root }),
  );

  test('two servers that write one part at the same time leave a whole file', async () => {
    const [first, second] = [createDiskStore(root), createDiskStore(root)];
    const content = randomBytes(6_000);
    const grown = (bytes: number) => expect.poll(() => first.size('grown')).toBe(bytes);
    await first.append('grown', 0, Readable.from([content.subarray(0, 1_000)]));
    const sources = [new PassThrough(), new PassThrough()] as const;
    const late = first.append('grown', 1_000, sources[0]);
    sources[0].write(content.subarray(1_000, 2_000));
    await grown(2_000);
    const newer = second.append('grown', 1_000, sources[1]);
    sources[1].write(content.subarray(1_000, 3_000));
    await grown(3_000);
    sources[0].end(content.subarray(2_000, 4_000));
    await late;
    sources[1].end(content.subarray(3_000));
    expect(await newer).toBe(5_000);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect((await second.finish('grown', 6_000)).sha256).toBe(sha256);
    // First parts that hung until now: one ends early, and one can't be written.
    await first.append('grown', 0, Readable.from([content.subarray(0, 500)]));
    const failed = new PassThrough().destroy(new Error('the disk is full'));
    await expect(first.append('grown', 0, failed)).rejects.toThrow('full');
    expect((await second.finish('grown', 6_000)).sha256).toBe(sha256);
  });

  test('nothing is missing while its folder is gone', async () => {
    const store = createDiskStore(join(root, 'files'));
    await store.write('one', Readable.from(['one']));
    await rename(join(root, 'files'), join(root, 'away'));
    await expect(store.read('one')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(store.size('one')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await rename(join(root, 'away'), join(root, 'files'));
    expect([await store.size('one'), await store.size('two')]).toEqual([3, null]);
  });

  test('says that it can take nothing when its folder cannot be made', async () => {
    await writeFile(join(root, 'a-file'), '');
    await expect(createDiskStore(join(root, 'a-file')).check()).rejects.toThrow();
  });
});

test('system errors of a full disk and of too many open files get their code', () => {
  const failed = (code: string) => diskError(Object.assign(new Error('failed'), { code }));
  expect(failed('ENOSPC')).toMatchObject({ code: 'STORAGE_FULL', status: 507 });
  expect(failed('EDQUOT')).toMatchObject({ code: 'STORAGE_FULL' });
  expect(failed('EMFILE')).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
  expect(failed('EIO')).toMatchObject({ code: 'EIO' });
});
