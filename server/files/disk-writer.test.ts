import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDiskWriter } from './disk-writer.ts';

const BLOCK = 1_048_576;

let directory: string;
let path: string;
let file: FileHandle;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'disk-writer-'));
  path = join(directory, 'file');
  file = await open(path, 'wx');
});
afterEach(async () => {
  await file.close();
  await rm(directory, { recursive: true });
});

const toStart = () => ({ at: 0, hash: createHash('sha256') });

const inPieces = (content: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(content.length / size) }, (_, index) =>
      content.subarray(index * size, (index + 1) * size),
    ),
  );

test.each([BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 20 * BLOCK + 7])(
  'writes and hashes %i bytes, however they are cut',
  async (bytes) => {
    const content = randomBytes(bytes);
    const hash = createHash('sha256');
    expect(await createDiskWriter()(inPieces(content, 700_001), file, { at: 0, hash })).toBe(bytes);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
    expect((await readFile(path)).equals(content)).toBe(true);
  },
);

test.each([
  [0, 0],
  [BLOCK, 1],
  [BLOCK + 1, 2],
  [5 * BLOCK, 2],
])('for %i bytes it makes %i blocks', async (bytes, blocks) => {
  const source = inPieces(randomBytes(bytes), 64_000);
  const made = vi.spyOn(Buffer, 'allocUnsafeSlow');
  try {
    expect(await createDiskWriter()(source, file, toStart())).toBe(bytes);
    expect(made.mock.calls.filter(([size]) => size === BLOCK)).toHaveLength(blocks);
  } finally {
    made.mockRestore();
  }
});

test('writes on from where it is told', async () => {
  await file.write('0123456789');
  await createDiskWriter()(Readable.from([Buffer.from('abc')]), file, { ...toStart(), at: 4 });
  expect(await readFile(path, 'utf8')).toBe('0123abc789');
});

test('goes on where the system took only a part of a block', async () => {
  const content = randomBytes(2 * BLOCK);
  const whole = file.write.bind(file);
  const taken = vi
    .spyOn(file, 'write')
    .mockImplementation(((block: Buffer, offset: number, length: number, position: number) =>
      whole(block, offset, Math.min(300_000, length), position)) as FileHandle['write']);
  await createDiskWriter()(inPieces(content, 64_000), file, toStart());
  expect(taken.mock.calls.length).toBeGreaterThan(6);
  expect((await readFile(path)).equals(content)).toBe(true);
});

test('a flush that failed on the way fails the whole, although the last one works', async () => {
  const failure = Object.assign(new Error('the device is failing'), { code: 'EIO' });
  vi.spyOn(file, 'datasync').mockRejectedValueOnce(failure);
  const writing = createDiskWriter()(inPieces(Buffer.alloc(40 * BLOCK), BLOCK), file, toStart());
  await expect(writing).rejects.toBe(failure);
});

test('a write that fails ends the source', async () => {
  const failure = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  vi.spyOn(file, 'write').mockRejectedValueOnce(failure);
  const source = inPieces(Buffer.alloc(8 * BLOCK), 64_000);
  await expect(createDiskWriter()(source, file, toStart())).rejects.toBe(failure);
  expect(source.destroyed).toBe(true);
});
