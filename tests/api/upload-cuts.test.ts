import { createHash, randomUUID } from 'node:crypto';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { capsuleFiles, uploads } from '../../server/db/schema.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { getUpload, startUpload } from '../../shared/api/uploads.ts';
import { errorBodySchema } from '../../shared/error-body.ts';
import {
  CHUNK_DIGESTS_HEADER,
  UPLOAD_CHUNK_BYTES,
  UPLOAD_OFFSET_HEADER,
  XSRF_COOKIE,
  XSRF_HEADER,
} from '../../shared/limits.ts';
import { capsuleFields, deleteForGood } from '../support/capsules.ts';
import { answerOf, expectStatus, type SignedIn, signUp } from '../support/client.ts';
import { largeVideo, sha256 } from '../support/fixtures.ts';
import { rare } from '../support/rare.ts';
import { sharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const CHUNK = UPLOAD_CHUNK_BYTES;

const server = sharedServer({ config: { maxFileMB: 100, storageLimitMB: 1_000 } });
let person: SignedIn;
let video: Buffer;
beforeAll(async () => {
  person = await signUp(server.url, 'Traveller');
  video = await buffer(largeVideo(3 * CHUNK + 1_000_000));
});

const path = (id: string) => `/api/uploads/${id}`;

async function start(): Promise<string> {
  const announced = { fileName: 'film.mp4', bytes: video.length };
  return answerOf(startUpload, await person.post(path(randomUUID()), announced)).id;
}

const offsetOf = async (id: string) => answerOf(getUpload, await person.get(path(id))).offset;

function headers(offset: number, part: Buffer) {
  const digests: string[] = [];
  for (let at = 0; at < part.length; at += CHUNK) {
    const chunk = part.subarray(at, at + CHUNK);
    digests.push(`:${createHash('sha256').update(chunk).digest('base64')}:`);
  }
  return {
    'content-type': 'application/partial-upload',
    [UPLOAD_OFFSET_HEADER]: String(offset),
    [CHUNK_DIGESTS_HEADER]: digests.join(', '),
  };
}

const send = (id: string, offset: number, part: Buffer, said = part) =>
  person.request('PATCH', path(id), {
    body: new Uint8Array(part),
    headers: headers(offset, said),
  });

/** Begins to send `part` and stops after `sent` bytes, with the connection still open. */
async function sendBeginning(id: string, part: Buffer, sent: number): Promise<ClientRequest> {
  const request = httpRequest(new URL(path(id), server.url), {
    method: 'PATCH',
    headers: {
      ...headers(0, part),
      'content-length': part.length,
      cookie: await person.jar.getCookieString(server.url),
      [XSRF_HEADER]: await person.cookie(XSRF_COOKIE),
    },
  });
  request.on('error', () => {});
  await new Promise((resolve) => request.write(part.subarray(0, sent), resolve));
  return request;
}

async function rest(id: string, offset: number): Promise<void> {
  expectStatus(await send(id, offset, video.subarray(offset)), 200);
  const capsule = answerOf(
    createCapsule,
    await person.createCapsule(capsuleFields(person, { uploads: [id] })),
  );
  const [stored] = await server.deps.db
    .select({ sha256: capsuleFiles.sha256 })
    .from(capsuleFiles)
    .where(eq(capsuleFiles.capsuleId, capsule.id));
  expect(stored?.sha256).toBe(sha256(video));
  await deleteForGood(person, capsule.id);
}

it.each([
  ['in its first chunk', CHUNK - 1, 0],
  ['at the end of a chunk', 2 * CHUNK, 2 * CHUNK],
  ['in the middle of its third', 2 * CHUNK + 1_234_567, 2 * CHUNK],
])('a part that is cut %s keeps the chunks that came whole', async (_where, sent, kept) => {
  const id = await start();
  (await sendBeginning(id, video, sent)).destroy();
  if (kept > 0) await until(async () => ((await offsetOf(id)) === kept ? true : null));
  expect(await offsetOf(id)).toBe(kept);
  await rest(id, kept);
});

it('a part with a damaged chunk keeps those before it', async () => {
  const id = await start();
  const damaged = Buffer.from(video);
  damaged[CHUNK + 5] = (damaged[CHUNK + 5] ?? 0) ^ 1;
  const answer = await send(id, 0, damaged, video);
  expect(errorBodySchema.parse(answer.json).code).toBe('UPLOAD_PART_CORRUPT');
  expect(await offsetOf(id)).toBe(CHUNK);
  await rest(id, CHUNK);
});

rare('whoever comes again does not wait for a connection that has gone silent', async () => {
  const id = await start();
  const silent = await sendBeginning(id, video, CHUNK + 1_000);
  await until(async () => ((await storedBytes(id)) >= CHUNK ? true : null));
  const first = await send(id, 0, video);
  // The silent one ended for it, and what had come by then was counted.
  expect(errorBodySchema.parse(first.json).code).toBe('UPLOAD_OFFSET_WRONG');
  const offset = await offsetOf(id);
  expect(offset).toBe(CHUNK);
  await rest(id, offset);
  silent.destroy();
});

async function storedBytes(id: string): Promise<number> {
  const [row] = await server.deps.db.select().from(uploads).where(eq(uploads.id, id));
  const stored = await server.deps.files.read(row?.storageKey ?? '');
  stored?.stream.destroy();
  return stored?.bytes ?? 0;
}
