import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { pdf } from '../../tests/support/fixtures.ts';
import { createMailWorld, type MailWorld } from '../../tests/support/mail-world.ts';
import { until } from '../../tests/support/until.ts';
import { findUpload, insertUpload, takeUploads, type UploadRow } from '../db/uploads.ts';
import type { Actor } from '../deps.ts';
import type { FileStore } from '../files/file-store.ts';
import { createMemoryStore } from '../files/memory.ts';
import { abandonUpload, assemble, receivePart, startUpload } from './uploads.ts';

let database: TestDatabase;
let world: MailWorld;
let files: FileStore;
let actor: Actor;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  world = createMailWorld(database.db);
  files = createMemoryStore(world.deps.clock);
  actor = { userId: (await world.addPerson('Ada')).id };
});

// Long enough for two parts that are no crumbs.
const content = Buffer.concat([pdf().bytes, Buffer.alloc(200_000)]);
const deps = (store = files) => ({ ...world.deps, files: store });

async function find(id: string): Promise<UploadRow> {
  const row = await findUpload(database.db, actor.userId, id);
  if (!row) throw new Error('There is no such upload.');
  return row;
}

/** All parts have come, and nobody has put them together yet. */
async function receiveWithoutEnd(): Promise<UploadRow> {
  const id = world.deps.ids.uuid();
  const now = world.deps.clock.now();
  const half = Math.ceil(content.length / 2);
  const row = { id, userId: actor.userId, name: 'a.pdf', bytes: content.length + 1, received: 0 };
  await insertUpload(database.db, { ...row, createdAt: now, touchedAt: now });
  await receivePart(deps(), actor, id, { start: 0, bytes: content.subarray(0, half) });
  await receivePart(deps(), actor, id, { start: half, bytes: content.subarray(half) });
  await database.db.execute(sql`update uploads set bytes = received where id = ${id}`);
  return find(id);
}

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list()) keys.push(key);
  return keys;
}

it('given up while a capsule takes it leaves the capsule its bytes', async () => {
  const upload = await receiveWithoutEnd();
  await assemble(deps(), upload);
  const { storageKey } = await find(upload.id);
  let abandoning: Promise<unknown> = Promise.resolve();
  await database.db.transaction(async (tx) => {
    await takeUploads(tx, actor.userId, [upload.id]);
    abandoning = abandonUpload(deps(), actor, upload.id).catch((error: unknown) => error);
    await until(async () => {
      const waiting = await database.sql`
        select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length > 0 ? true : null;
    });
  });
  expect(await abandoning).toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
  expect(await storedKeys()).toEqual([storageKey]);
});

it('put together by two requests at once is one file, and neither fails', async () => {
  const upload = await receiveWithoutEnd();
  let overtaken = false;
  const slow: FileStore = {
    ...files,
    async read(key, range) {
      if (!overtaken) {
        overtaken = true;
        await assemble(deps(), upload);
      }
      return files.read(key, range);
    },
  };
  await assemble(deps(slow), upload);
  const { storageKey } = await find(upload.id);
  expect(await storedKeys()).toEqual([storageKey]);
  const stored = await files.read(String(storageKey));
  expect(await buffer(stored?.stream ?? Readable.from([]))).toEqual(content);
});

it('announced by somebody who has just left asks to sign in', async () => {
  const nobody = { userId: world.deps.ids.uuid() };
  const starting = startUpload(deps(), nobody, world.deps.ids.uuid(), {
    fileName: 'a.pdf',
    bytes: 5,
  });
  await expect(starting).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
