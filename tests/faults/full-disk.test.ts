import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { spawnServer } from '../support/server-process.ts';

const made: string[] = [];
afterEach(async () => {
  for (const path of made.splice(0)) await rm(path, { recursive: true, force: true });
});

/** A disk of 20 MB that only this command sees; a database takes twice that. */
function onSmallDisk(directory: string): string[] {
  const mount = `mount -t tmpfs -o size=20m tmpfs '${directory}' && exec "$@"`;
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mount, 'sh'];
}

test('a disk that is full at the first start is one line and exit 1', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'time-capsule-small-'));
  made.push(directory);
  const prefix = onSmallDisk(directory);
  const server = spawnServer({ prefix }, tmpdir(), { DATA_DIR: directory });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.stderr()).toBe(
    `There is no space left on the disk for the database in ${directory}/database. Free at least 100 MB and start again.\n`,
  );
});
