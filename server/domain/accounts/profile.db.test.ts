import sharp from 'sharp';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { createMemoryStore } from '../../../tests/support/memory-store.ts';
import { findUser } from '../../db/accounts/users.ts';
import type { FileStore } from '../../files/file-store.ts';
import { replaceAvatar } from './profile.ts';

const { database, world } = sharedMailWorld();
let files: FileStore;
let picture: Buffer;
beforeAll(async () => {
  const create = { width: 8, height: 8, channels: 3, background: 'red' } as const;
  picture = await sharp({ create }).png().toBuffer();
});
beforeEach(() => {
  files = createMemoryStore(world.deps.clock);
});

const replace = (userId: string) => replaceAvatar({ ...world.deps, files }, { userId }, picture);

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list()) keys.push(key);
  return keys;
}

it('of several pictures at once one stays, and no bytes of the others', async () => {
  const { id } = await world.addPerson('Ada');
  await Promise.all(Array.from({ length: 8 }, () => replace(id)));
  expect(await storedKeys()).toEqual([(await findUser(database.db, id))?.avatarKey]);
});

it('leaves no bytes when the account has been deleted meanwhile', async () => {
  await expect(replace(world.deps.ids.uuid())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(await storedKeys()).toEqual([]);
});
