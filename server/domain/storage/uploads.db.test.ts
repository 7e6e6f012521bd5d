import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import type { UploadState } from '../../../shared/api/uploads.ts';
import { pdf } from '../../../tests/support/fixtures.ts';
import { GO_ON, sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { createMemoryStore, type MemoryStore } from '../../../tests/support/memory-store.ts';
import { until } from '../../../tests/support/until.ts';
import type { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { forgetReleased, releaseFiles } from '../../db/storage/pending-files.ts';
import { findUpload, takeUploads, type UploadRow } from '../../db/storage/uploads.ts';
import { HEAD_BYTES } from '../../files/sniff.ts';
import { removeReleased } from '../../jobs/remove-files.ts';
import { createTurns } from './turns.ts';
import {
  type ArrivingPart,
  abandonUpload,
  complete,
  getUpload,
  receivePart,
  startUpload,
} from './uploads.ts';

const { database, world } = sharedMailWorld();
let files: MemoryStore;
let actor: Actor;
beforeEach(async () => {
  files = createMemoryStore();
  actor = { userId: (await world.addPerson('Ada')).id };
});

// Long enough for two parts that are no crumbs.
const content = Buffer.concat([pdf().bytes, Buffer.alloc(200_000)]);
const deps = () => ({ ...world.deps, files });
const turns = createTurns();

async function find(id: string): Promise<UploadRow> {
  const row = await findUpload(database.db, actor, id);
  if (!row) throw new Error('There is no such upload.');
  return row;
}

/** A part that has arrived whole. */
function arrived(bytes: Buffer): ArrivingPart {
  return {
    stream: Readable.from([bytes]),
    head: () => bytes.subarray(0, HEAD_BYTES),
    sound: () => bytes.length,
    failure: () => null,
    stop: () => {},
  };
}

function receive(id: string, start: number, end: number): Promise<UploadState> {
  const part = content.subarray(start, end);
  const place = { start, length: part.length };
  return receivePart(deps(), turns, actor, id, place, arrived(part));
}

/** All parts have come, and nobody has made a file of them yet. */
async function receiveWithoutEnd(): Promise<UploadRow> {
  const id = world.deps.ids.uuid();
  await startUpload(deps(), actor, id, { fileName: 'a.pdf', bytes: content.length + 1 });
  const half = Math.ceil(content.length / 2);
  await receive(id, 0, half);
  await receive(id, half, content.length);
  await database.db.execute(sql`update uploads set bytes = received where id = ${id}`);
  return find(id);
}

async function storedKeys(): Promise<string[]> {
  await removeReleased(deps(), GO_ON);
  return files.keys();
}

it('given up while a capsule takes it leaves the capsule its bytes', async () => {
  const upload = await receiveWithoutEnd();
  await complete(deps(), upload);
  const { storageKey } = await find(upload.id);
  let abandoning: Promise<unknown> = Promise.resolve();
  await database.db.transaction(async (tx) => {
    await takeUploads(tx, actor, [upload.id]);
    abandoning = abandonUpload(deps(), turns, actor, upload.id).catch((error: unknown) => error);
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

/** The beginning of a part has come, and the rest waits. */
async function beginPart(id: string) {
  const stream = new PassThrough();
  stream.write(content.subarray(0, 100_000));
  const part = arrived(content);
  let failure: AppError | null = null;
  const stop = (reason: AppError) => {
    failure ??= reason;
    stream.end();
  };
  const received = receivePart(
    deps(),
    turns,
    actor,
    id,
    { start: 0, length: content.length },
    { ...part, stream, sound: () => (failure ? 0 : content.length), failure: () => failure, stop },
  ).catch((error: unknown) => error);
  await until(async () => (stream.readableLength === 0 ? true : null));
  return { received, finish: () => stream.end(content.subarray(100_000)) };
}

it('given up while a part arrives leaves nothing of it', async () => {
  const id = world.deps.ids.uuid();
  await startUpload(deps(), actor, id, { fileName: 'a.pdf', bytes: content.length });
  const { received } = await beginPart(id);
  await abandonUpload(deps(), turns, actor, id);
  expect(await received).toMatchObject({ code: 'UPLOAD_OFFSET_WRONG' });
  expect(await storedKeys()).toEqual([]);
});

it('gone with its account while a part arrives leaves nothing of it', async () => {
  const id = world.deps.ids.uuid();
  await startUpload(deps(), actor, id, { fileName: 'a.pdf', bytes: content.length });
  const { received, finish } = await beginPart(id);
  await database.sql`delete from users where id = ${actor.userId}`;
  finish();
  expect(await received).toMatchObject({ code: 'UPLOAD_OFFSET_WRONG' });
  expect(await storedKeys()).toEqual([]);
});

/** What deletes an account does to an upload. */
async function release({ id, storageKey }: UploadRow): Promise<void> {
  await database.sql`delete from uploads where id = ${id}`;
  await releaseFiles(database.db, [storageKey]);
}

it('deleted while a part is written leaves nothing, though the job has looked before', async () => {
  const id = world.deps.ids.uuid();
  await startUpload(deps(), actor, id, { fileName: 'a.pdf', bytes: content.length });
  const upload = await find(id);
  const append: MemoryStore['append'] = async (...written) => {
    await release(upload);
    return files.append(...written);
  };
  const part = { start: 0, length: content.length };
  const slow = { ...deps(), files: { ...files, append } };
  const received = receivePart(slow, turns, actor, id, part, arrived(content));
  await expect(received).rejects.toMatchObject({ code: 'UPLOAD_OFFSET_WRONG' });
  await forgetReleased(database.db, [upload.storageKey]);
  expect(await storedKeys()).toEqual([]);
});

it('deleted while its file is put together leaves nothing', async () => {
  const upload = await receiveWithoutEnd();
  const finish: MemoryStore['finish'] = async (key) => {
    await release(upload);
    await storedKeys();
    return files.write(key, Readable.from([content]));
  };
  const completing = complete({ ...deps(), files: { ...files, finish } }, upload);
  await expect(completing).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
  expect(await storedKeys()).toEqual([]);
});

it('completed by two requests at once is one file, and neither fails', async () => {
  const upload = await receiveWithoutEnd();
  const both = await Promise.all([complete(deps(), upload), complete(deps(), upload)]);
  expect(both[0]).toEqual(both[1]);
  expect(await storedKeys()).toEqual([upload.storageKey]);
  const stored = await files.read(upload.storageKey);
  expect(await buffer(stored?.stream ?? Readable.from([]))).toEqual(content);
});

it('begins again where the store has lost what was counted', async () => {
  const upload = await receiveWithoutEnd();
  await files.delete([upload.storageKey]);
  await expect(complete(deps(), upload)).rejects.toMatchObject({ code: 'UPLOAD_INCOMPLETE' });
  expect(await getUpload(deps(), actor, upload.id)).toMatchObject({ offset: 0, complete: false });
  await expect(receive(upload.id, 0, content.length)).resolves.toMatchObject({ complete: true });
});

it('announced by somebody who has just left asks to sign in', async () => {
  const nobody = { userId: world.deps.ids.uuid() };
  const starting = startUpload(deps(), nobody, world.deps.ids.uuid(), {
    fileName: 'a.pdf',
    bytes: 5,
  });
  await expect(starting).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
