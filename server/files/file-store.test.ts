import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
