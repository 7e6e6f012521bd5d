import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { onSmallDisk, spawnServer } from '../support/server-process.ts';

const made: string[] = [];
afterEach(async () => {
  for (const path of made.splice(0)) await rm(path, { recursive: true, force: true });
});

test('a disk that is full at the first start is one line and exit 1', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'time-capsule-small-'));
  made.push(directory);
  // A database takes twice that.
  const server = spawnServer(onSmallDisk(directory, 20), tmpdir(), { DATA_DIR: directory });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.stderr()).toBe(
    `There is no space left on the disk for the database in ${directory}/database. Free at least 100 MB and start again.\n`,
  );
});
