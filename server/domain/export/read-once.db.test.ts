import { buffer } from 'node:stream/consumers';
import { drizzle } from 'drizzle-orm/postgres-js';
import { beforeEach, expect, it } from 'vitest';
import { type Person, sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { createMemoryStore } from '../../../tests/support/memory-store.ts';
import * as schema from '../../db/schema.ts';
import { exportAccount } from './export.ts';
import { createCapsuleReader, ROOM } from './read-once.ts';

const { database, world } = sharedMailWorld();
let ada: Person;
beforeEach(async () => {
  ada = await world.addPerson('Ada');
});

const OPEN = { unlockAt: new Date('2030-01-01T00:00:00Z') };

/** What they need, and the statements that have been sent since the last look. */
function watched() {
  const sent: string[] = [];
  const logger = { logQuery: (query: string) => void sent.push(query) };
  const db = drizzle(database.sql, { schema, logger });
  const files = createMemoryStore(world.deps.clock);
  return { deps: { ...world.deps, db, files }, statements: () => sent.splice(0).length };
}

async function addOpen(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await world.addCapsule(ada, [ada], OPEN)).id);
  return ids;
}

it('reads a capsule once for a whole archive: fifty by two statements', async () => {
  const { deps, statements } = watched();
  const made = async () => {
    await buffer(await exportAccount(deps, { userId: ada.id }));
    return statements();
  };
  // The person, their addresses, picture, invitations, whom they have blocked, and the ids of their capsules and drafts.
  const ofThePerson = await made();
  expect(ofThePerson).toBe(8);
  await addOpen(100);
  expect(await made()).toBe(ofThePerson + 4);
  // What is inside is not asked for.
  await world.addCapsule(ada, [ada]);
  expect(await made()).toBe(ofThePerson + 5);
});

it('reads again what there was no room for', async () => {
  const { deps, statements } = watched();
  const ids = await addOpen(60);
  const each = async (bytes: number) => {
    const reader = createCapsuleReader(deps, { userId: ada.id }, { bytes });
    const passes = [];
    for (let pass = 0; pass < 3; pass += 1) {
      const messages = [];
      for await (const { capsule } of reader.each(ids)) messages.push(capsule.personalMessage);
      expect(messages).toEqual(ids.map(() => 'CANARY-MESSAGE'));
      passes.push(statements());
    }
    return passes;
  };
  expect(await each(1_000_000)).toEqual([4, 0, 0]);
  expect(await each(10_000)).toEqual([4, 4, 4]);
  expect(await each(0)).toEqual([4, 4, 4]);
});

it('gives the room back when an archive has been read, and when nobody reads it', async () => {
  const { deps } = watched();
  const free = ROOM.bytes;
  await addOpen(1);
  const unread = await exportAccount(deps, { userId: ada.id });
  await expect.poll(() => ROOM.bytes).toBeLessThan(free);
  unread.destroy();
  await expect.poll(() => ROOM.bytes).toBe(free);
  await buffer(await exportAccount(deps, { userId: ada.id }));
  await expect.poll(() => ROOM.bytes).toBe(free);
});
