import { createHash, randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { type ByteRange, type FileStore, MissingBytesError } from './file-store.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A key as the server makes them, the same for the same name. */
export function own(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return `capsules/${hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

/**
 * What every file store must do. `create` gives an empty store.
 * @param keysOf what is stored in it: keys, in order
 */
export function fileStoreContract<Store extends FileStore>(
  create: () => Promise<Store>,
  keysOf: (store: Store) => Promise<string[]>,
): void {
  let store: Store;
  beforeEach(async () => {
    store = await create();
  });

  async function bytesOf(key: string, range?: ByteRange): Promise<Buffer | null> {
    const file = await store.read(key, range);
    return file && buffer(file.stream);
  }

  const keys = () => keysOf(store);

  test('gives back what was written, with its size and hash', async () => {
    const content = Buffer.from('Dear future me');
    const stored = await store.write(own('capsules/one'), Readable.from([content]));
    expect(stored).toEqual({ bytes: content.length, sha256: sha256(content) });
    expect(await bytesOf(own('capsules/one'))).toEqual(content);
  });

  test('keeps 5 MB of random bytes in uneven pieces', async () => {
    const content = randomBytes(5_000_011);
    const pieces = [content.subarray(0, 1), content.subarray(1, 3_000_000)];
    pieces.push(content.subarray(3_000_000, 3_000_000), content.subarray(3_000_000));
    const stored = await store.write(own('big'), Readable.from(pieces));
    expect(stored).toEqual({ bytes: content.length, sha256: sha256(content) });
    expect(sha256((await bytesOf(own('big'))) ?? Buffer.alloc(0))).toBe(stored.sha256);
  });

  test('keeps an empty file', async () => {
    const stored = await store.write(own('empty'), Readable.from([]));
    expect(stored).toEqual({ bytes: 0, sha256: sha256(Buffer.alloc(0)) });
    expect(await bytesOf(own('empty'))).toEqual(Buffer.alloc(0));
  });

  test('reads a range with both ends included, and still says the whole size', async () => {
    await store.write(own('digits'), Readable.from([Buffer.from('0123456789')]));
    expect(String(await bytesOf(own('digits'), { start: 3, end: 6 }))).toBe('3456');
    expect(String(await bytesOf(own('digits'), { start: 9, end: 9 }))).toBe('9');
    const part = await store.read(own('digits'), { start: 0, end: 0 });
    expect(part?.bytes).toBe(10);
    expect(await store.size(own('digits'))).toBe(10);
    part?.stream.destroy();
  });

  test('a key that was never written, or was deleted, reads as null', async () => {
    expect(await store.read(own('nothing'))).toBeNull();
    expect(await store.size(own('nothing'))).toBeNull();
    await store.write(own('gone'), Readable.from([Buffer.from('x')]));
    await store.append(own('unfinished'), 0, Readable.from([Buffer.from('x')]));
    const gone = ['gone', 'unfinished', 'nothing'].map(own);
    expect(await store.delete(gone)).toEqual(new Map());
    expect(await store.delete(gone)).toEqual(new Map());
    expect(await store.read(own('gone'))).toBeNull();
    expect(await keys()).toEqual([]);
  });

  test('a source that fails midway leaves nothing', async () => {
    async function* failing() {
      yield randomBytes(3_000_000);
      throw new Error('the client went away');
    }
    const writing = store.write(own('broken'), Readable.from(failing()));
    await expect(writing).rejects.toThrow('the client went away');
    expect(await keys()).toEqual([]);
    expect(await store.read(own('broken'))).toBeNull();
  });

  test('a source that is destroyed midway, or was before, leaves nothing', async () => {
    const source = new PassThrough();
    source.write('some bytes');
    const writing = store.write(own('aborted'), source);
    source.destroy();
    await expect(writing).rejects.toThrow();

    const failed = new PassThrough();
    failed.destroy(new Error('failed early'));
    await expect(store.write(own('aborted'), failed)).rejects.toThrow('failed early');
    expect(await keys()).toEqual([]);
  });

  test('writes over what is there, and leaves it where that fails', async () => {
    async function* failing() {
      yield Buffer.from('half');
      throw new Error('the disk is full');
    }
    await store.write(own('mark'), Readable.from(['first']));
    await store.write(own('mark'), Readable.from(['second']));
    await expect(store.write(own('mark'), Readable.from(failing()))).rejects.toThrow('full');
    expect(String(await bytesOf(own('mark')))).toBe('second');
    expect(await keys()).toEqual([own('mark')]);
  });

  const from = (bytes: Buffer) => Readable.from([bytes]);

  test('grows a file part by part, which is whole when it is finished', async () => {
    const content = randomBytes(3_000_000);
    for (const [start, end] of [
      [0, 1_000_000],
      [1_000_000, 2_900_000],
      [2_900_000, 3_000_000],
    ]) {
      const part = content.subarray(start, end);
      expect(await store.append(own('grown'), Number(start), from(part))).toBe(part.length);
    }
    expect(await keys()).toEqual([own('grown')]);
    const whole = { bytes: content.length, sha256: sha256(content) };
    expect(await store.finish(own('grown'), content.length)).toEqual(whole);
    // Asked again: its caller may have stopped before it could note it.
    expect(await store.finish(own('grown'), content.length)).toEqual(whole);
    await store.append(own('twice'), 0, from(content.subarray(0, 1_000_000)));
    await store.append(own('twice'), 1_000_000, from(content.subarray(1_000_000)));
    const twice = [
      store.finish(own('twice'), content.length),
      store.finish(own('twice'), content.length),
    ];
    expect(await Promise.all(twice)).toEqual([whole, whole]);
    await store.delete([own('twice')]);
    expect((await bytesOf(own('grown')))?.equals(content)).toBe(true);
    expect(await keys()).toEqual([own('grown')]);
    await store.delete([own('grown')]);
    expect(await keys()).toEqual([]);
  });

  test('takes a part again whose end did not count, and what came in a part that failed', async () => {
    const content = randomBytes(2_000_000);
    await store.append(own('again'), 0, from(content.subarray(0, 1_000_000)));
    await store.append(own('again'), 500_000, from(randomBytes(1_200_000)));
    async function* failing() {
      yield randomBytes(900_000);
      throw new Error('the client went away');
    }
    const failed = store.append(own('again'), 500_000, Readable.from(failing()));
    await expect(failed).rejects.toThrow('the client went away');
    await store.append(own('again'), 500_000, from(content.subarray(500_000)));
    // More than counts: the end of the last part is not told to be there.
    expect(await store.finish(own('again'), 1_900_000)).toEqual({
      bytes: 1_900_000,
      sha256: sha256(content.subarray(0, 1_900_000)),
    });
    expect((await bytesOf(own('again')))?.equals(content.subarray(0, 1_900_000))).toBe(true);
  });

  test('grows a long file', async () => {
    const content = randomBytes(9_000_000);
    const append = async (start: number, end: number) =>
      store.append(own('long'), start, from(content.subarray(start, end)));
    await append(0, 8_500_000);
    await append(8_500_000, 8_600_000);
    // Half of the part before did not count.
    await append(8_550_000, 9_000_000);
    const whole = { bytes: content.length, sha256: sha256(content) };
    expect(await store.finish(own('long'), content.length)).toEqual(whole);
    expect((await bytesOf(own('long')))?.equals(content)).toBe(true);
    await store.delete([own('long')]);
    expect(await keys()).toEqual([]);
  });

  test('begins an unfinished file anew at 0, and removes one', async () => {
    await store.append(own('anew'), 0, from(randomBytes(500_000)));
    await store.append(own('anew'), 500_000, from(randomBytes(500_000)));
    await store.append(own('anew'), 0, from(Buffer.from('short')));
    expect((await store.finish(own('anew'), 5)).sha256).toBe(sha256(Buffer.from('short')));
    await store.append(own('left'), 0, from(randomBytes(1_000)));
    await store.delete([own('left')]);
    expect(await keys()).toEqual([own('anew')]);
  });

  test('says so when bytes that once were added are not there', async () => {
    await expect(store.append(own('lost'), 10, from(Buffer.from('x')))).rejects.toThrow(
      MissingBytesError,
    );
    await store.append(own('lost'), 0, from(Buffer.from('0123')));
    await expect(store.append(own('lost'), 5, from(Buffer.from('5')))).rejects.toThrow(
      MissingBytesError,
    );
    await expect(store.finish(own('lost'), 5)).rejects.toThrow(MissingBytesError);
    await expect(store.finish(own('nothing'), 5)).rejects.toThrow(MissingBytesError);
  });

  test('keeps files apart that are written at the same time', async () => {
    const contents = Array.from({ length: 12 }, (_, index) => randomBytes(300_000 + index));
    const stored = await Promise.all(
      contents.map((content, index) => store.write(own(`many/${index}`), Readable.from([content]))),
    );
    expect(stored.map((file) => file.sha256)).toEqual(contents.map(sha256));
    for (const [index, content] of contents.entries()) {
      expect(sha256((await bytesOf(own(`many/${index}`))) ?? Buffer.alloc(0))).toBe(
        sha256(content),
      );
    }
  });

  test.each([
    '',
    '/etc/passwd',
    '../up',
    'a/../b',
    'a//b',
    'a/',
    'a.b',
    'a b',
    'a\0',
    `${'k'.repeat(201)}`,
  ])('refuses the key %j and destroys the source', async (key) => {
    const source = Readable.from([Buffer.from('x')]);
    await expect(store.write(key, source)).rejects.toThrow('not a key');
    expect(source.destroyed).toBe(true);
    await expect(store.read(key)).rejects.toThrow('not a key');
    await expect(store.delete([key])).rejects.toThrow('not a key');
  });

  test('says that it can take bytes', async () => {
    await expect(store.check()).resolves.toBeUndefined();
  });
}
