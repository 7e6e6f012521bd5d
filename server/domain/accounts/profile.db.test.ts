import sharp from 'sharp';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { GO_ON, sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { createMemoryStore, type MemoryStore } from '../../../tests/support/memory-store.ts';
import { findAccount } from '../../db/accounts/users.ts';
import { removeReleased } from '../../jobs/remove-files.ts';
import { replaceAvatar } from './profile.ts';

const { database, world } = sharedMailWorld();
let files: MemoryStore;
let picture: Buffer;
beforeAll(async () => {
  const create = { width: 8, height: 8, channels: 3, background: 'red' } as const;
  picture = await sharp({ create }).png().toBuffer();
});
beforeEach(() => {
  files = createMemoryStore();
});

const replace = (userId: string) => replaceAvatar({ ...world.deps, files }, { userId }, picture);

async function storedKeys(): Promise<string[]> {
  await removeReleased({ ...world.deps, files }, GO_ON);
  return files.keys();
}

it('of several pictures at once one stays, and no bytes of the others', async () => {
  const { id } = await world.addPerson('Ada');
  await Promise.all(Array.from({ length: 8 }, () => replace(id)));
  expect(await storedKeys()).toEqual([(await findAccount(database.db, id))?.avatarKey]);
});

it('leaves no bytes when the account has been deleted meanwhile', async () => {
  await expect(replace(world.deps.ids.uuid())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(await storedKeys()).toEqual([]);
});
