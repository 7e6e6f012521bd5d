import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { copyFolder } from './copy-folder.ts';

/** Root may read everything: a file that cannot be read is one whose copying fails. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const copyFile: typeof real.copyFile = async (source, ...rest) => {
    const code = /\.(E[A-Z]+)$/.exec(String(source))?.[1];
    if (code) throw Object.assign(new Error(code), { code });
    return real.copyFile(source, ...rest);
  };
  return { ...real, copyFile };
});

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'copy-folder-'));
  await mkdir(join(root, 'from', 'aa'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

const put = (...path: string[]) => writeFile(join(root, 'from', ...path), 'x');
const copy = (options = {}) => copyFolder(join(root, 'from'), join(root, 'to'), options);

test('names what cannot be read and copies the rest, when somebody wants to hear of it', async () => {
  await Promise.all([put('aa', 'one'), put('aa', 'two.EIO'), put('three.EACCES'), put('four')]);
  await expect(copy()).rejects.toThrow(/EIO|EACCES/);
  await rm(join(root, 'to'), { recursive: true });
  const heard: string[] = [];
  const onUnreadable = (path: string, code: string) => heard.push(`${path} ${code}`);
  expect(await copy({ onUnreadable })).toMatchObject({ files: 2 });
  expect(heard.sort()).toEqual(['aa/two.EIO EIO', 'three.EACCES EACCES']);
  expect((await readdir(join(root, 'to'), { recursive: true })).sort()).toEqual([
    'aa',
    'aa/one',
    'four',
  ]);
});

test('ends when the disk is full: no other file would fit either', async () => {
  await put('big.ENOSPC');
  await expect(copy({ onUnreadable: () => {} })).rejects.toThrow('ENOSPC');
});
