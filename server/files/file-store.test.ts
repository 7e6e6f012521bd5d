import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMemoryStore } from '../../tests/support/memory-store.ts';
import { createDiskStore } from './disk.ts';
import { diskError } from './disk-errors.ts';
import { fileStoreContract, own } from './file-store.contract.ts';
import type { FileStore } from './file-store.ts';

async function textOf(store: FileStore, key: string): Promise<string | null> {
  const file = await store.read(key);
  return file && text(file.stream);
}

describe('memory', () => {
  fileStoreContract(async () => createMemoryStore());
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
    async () => {
      const at = (...path: string[]) => join(root, 'files', ...path);
      const [folder] = (await readdir(at())).filter((name) => name !== 'temp');
      await mkdir(at('lost+found'), { mode: 0o000 });
      await mkdir(at('temp', 'folder'), { recursive: true });
      await mkdir(at(String(folder), own('a folder').replace('/', '.')));
      for (const path of [at('.DS_Store'), at('zz'), at(String(folder), 'notes.txt')]) {
        await writeFile(path, 'not ours');
      }
      await writeFile(at(folder === 'ff' ? 'fe' : 'ff'), 'a file named as one of our folders');
    },
  );

  test('shows a file under its key only when it is whole', async () => {
    const store = createDiskStore(root);
    const source = new PassThrough();
    const writing = store.write('slow', source);
    source.write('half');
    await vi.waitFor(async () => expect(await readdir(join(root, 'temp'))).toHaveLength(1));
    expect(await store.read('slow')).toBeNull();
    source.end(' and half');
    await writing;
    expect(await readdir(join(root, 'temp'))).toEqual([]);
    expect(await textOf(store, 'slow')).toBe('half and half');
  });

  test('leaves no temporary file when a source fails', async () => {
    const store = createDiskStore(root);
    const source = new PassThrough();
    const writing = store.write('broken', source);
    source.write(Buffer.alloc(2_000_000));
    source.destroy(new Error('gone'));
    await expect(writing).rejects.toThrow('gone');
    expect(await readdir(join(root, 'temp'))).toEqual([]);
  });

  test('removes what a crash left half written, and nothing younger', async () => {
    const store = createDiskStore(root);
    expect(await store.removeStale(0)).toBe(0);
    await store.write('kept', Readable.from([Buffer.from('x')]));
    await writeFile(join(root, 'temp', 'old'), 'x');
    await utimes(join(root, 'temp', 'old'), new Date(0), new Date(0));
    await writeFile(join(root, 'temp', 'young'), 'x');
    expect(await store.removeStale(3_600_000)).toBe(1);
    expect(await readdir(join(root, 'temp'))).toEqual(['young']);
    expect(await textOf(store, 'kept')).toBe('x');
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
