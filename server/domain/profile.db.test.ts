import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { createMailWorld } from '../../tests/support/mail-world.ts';
import { findUser } from '../db/users.ts';
import { createMemoryStore } from '../files/memory.ts';
import { replaceAvatar } from './profile.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('of several pictures at once one stays, and no bytes of the others', async () => {
  const world = createMailWorld(database.db);
  const files = createMemoryStore(world.deps.clock);
  const actor = { userId: (await world.addPerson('Ada')).id };
  const keys = Array.from({ length: 8 }, (_, at) => `avatars/${at}`);
  for (const key of keys) await files.write(key, Readable.from(['a picture']));
  await Promise.all(keys.map((key) => replaceAvatar({ ...world.deps, files }, actor, key)));
  const left: string[] = [];
  for await (const { key } of files.list()) left.push(key);
  expect(left).toEqual([(await findUser(database.db, actor.userId))?.avatarKey]);
});
