import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StartError } from '../start-error.ts';
import { prepareSocketDirectory, SOCKET_NAME } from './socket-directory.ts';

const identity = { prefix: [] };

async function tooLong(): Promise<{ path: string; fallback: string }> {
  const path = join(await mkdtemp(join(tmpdir(), 'socket-')), 'x'.repeat(100));
  const fallback = await prepareSocketDirectory(path, identity);
  onTestFinished(async () => {
    await rm(fallback, { recursive: true, force: true });
    await rm(join(path, '..'), { recursive: true, force: true });
  });
  return { path, fallback };
}

test('a short path holds the socket itself', async () => {
  expect(await prepareSocketDirectory('/srv/data/database', identity)).toBe('/srv/data/database');
});

test('the limit counts bytes, not letters', async () => {
  const path = `/srv/${'é'.repeat(50)}`;
  const fallback = await prepareSocketDirectory(path, identity);
  onTestFinished(() => rm(fallback, { recursive: true, force: true }));
  expect(fallback).not.toBe(path);
});

test('a long path gets a short private directory, the same each time', async () => {
  const { path, fallback } = await tooLong();
  expect(Buffer.byteLength(join(fallback, SOCKET_NAME))).toBeLessThan(104);
  expect((await stat(fallback)).mode & 0o777).toBe(0o700);
  expect(await prepareSocketDirectory(path, identity)).toBe(fallback);
});

test('a directory that others can enter is refused', async () => {
  const { path, fallback } = await tooLong();
  await chmod(fallback, 0o755);
  await expect(prepareSocketDirectory(path, identity)).rejects.toThrow(StartError);
});
