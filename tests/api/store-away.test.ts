import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { capsuleFields } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { photo } from '../support/fixtures.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();

async function create(person: SignedIn) {
  const fields = capsuleFields(person, { dateToUnlock: '2099-01-01' });
  return (await person.createCapsule(fields, [await photo()])).status;
}

it.each([
  ['is gone', async () => {}],
  ['is an empty folder, as where a disk is not mounted', (files: string) => mkdir(files)],
])(
  'nothing is written while the folder of files %s, and all is well when it is back',
  async (what, leave) => {
    const person = await signUp(server.url, `Person ${what.length}`);
    const readiness = async () => (await person.get('/readyz')).status;
    const { dataDir } = server.deps.config;
    const files = join(dataDir, 'files');
    expect(await create(person)).toBe(201);

    await rename(files, join(dataDir, 'away'));
    await leave(files);
    expect(await create(person)).toBe(503);
    await expect.poll(readiness).toBe(503);
    expect(existsSync(join(files, 'temp'))).toBe(false);

    await rm(files, { recursive: true, force: true });
    await rename(join(dataDir, 'away'), files);
    expect(await create(person)).toBe(201);
    await expect.poll(readiness).toBe(200);
  },
);
