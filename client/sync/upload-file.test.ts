import 'fake-indexeddb/auto';
import { beforeEach, expect, it } from 'vitest';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { attach } from '../db/attach.support.ts';
import { readAttachments } from '../db/attachments.ts';
import { db, openDatabase } from '../db/database.ts';
import { saveDraft } from '../db/drafts.ts';
import { EMPTY_DRAFT } from '../db/tables.ts';
import { type UploadCalls, uploadFile } from './upload-file.ts';

const id = sampleId(1);
const BYTES = 5_000_000;
const { signal } = new AbortController();

beforeEach(async () => {
  await openDatabase(sampleId(101));
  await Promise.all(db.tables.map((table) => table.clear()));
  await saveDraft({ id, fields: EMPTY_DRAFT, updatedAt: 1 });
  await attach(id, new File([new Uint8Array(BYTES)], 'film.mp4'));
});

/** Sends the file, or what is left of it. @returns the parts, and whether their progress was asked for */
async function send(isBroken?: boolean) {
  const [file] = await readAttachments(id);
  if (!file) throw new Error('It was added.');
  const parts: number[] = [];
  let isWatched = true;
  let offset = 0;
  const state = () => ({ id: file.id, bytes: BYTES, offset, complete: offset === BYTES });
  const calls: UploadCalls = {
    start: async () => state(),
    get: async () => state(),
    send: async ({ bytes, onProgress }) => {
      parts.push(bytes?.size ?? 0);
      offset += bytes?.size ?? 0;
      isWatched &&= onProgress !== undefined;
      return state();
    },
  };
  await uploadFile(file, { calls, signal, ...(isBroken !== undefined && { isBroken }) });
  return { parts, isWatched };
}

it('watches every part, also where nobody shows how far it is', async () => {
  expect(await send()).toEqual({ parts: [4_194_304, BYTES - 4_194_304], isWatched: true });
});

it('begins small where it was cut off, and nowhere else', async () => {
  await send();
  expect((await send()).parts.slice(0, 3)).toEqual([262_144, 524_288, 1_048_576]);
  expect((await send(false)).parts[0]).toBe(4_194_304);
});
