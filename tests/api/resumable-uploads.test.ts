import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { capsuleFiles } from '../../server/db/schema.ts';
import { removeReleased } from '../../server/jobs/remove-files.ts';
import { sweep } from '../../server/jobs/sweep.ts';
import type { Capsule } from '../../shared/api/capsules.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { getUpload, startUpload, type UploadState } from '../../shared/api/uploads.ts';
import { errorBodySchema } from '../../shared/error-body.ts';
import {
  CHUNK_DIGESTS_HEADER,
  IDEMPOTENCY_HEADER,
  UPLOAD_CHUNK_BYTES,
  UPLOAD_OFFSET_HEADER,
  UPLOAD_PART_MAX_BYTES,
  XSRF_COOKIE,
  XSRF_HEADER,
} from '../../shared/limits.ts';
import { capsuleFields, deleteForGood } from '../support/capsules.ts';
import { type Answer, answerOf, expectStatus, type SignedIn, signUp } from '../support/client.ts';
import { largeVideo, pdf, sha256 } from '../support/fixtures.ts';
import { sharedServer } from '../support/server.ts';
import { storedKeys as keysIn } from '../support/stored-keys.ts';

const PART = 300_000;

const server = sharedServer({
  clock: '2029-12-20T12:00:00Z',
  config: { maxFileMB: 2, storageLimitMB: 4 },
});
let person: SignedIn;
let video: Buffer;

beforeAll(async () => {
  person = await signUp(server.url, 'Uploader');
  video = await buffer(largeVideo(1_000_000));
});

const codeOf = (answer: Answer) => errorBodySchema.parse(answer.json).code;
const path = (id: string) => `/api/uploads/${id}`;

async function start(
  id: string = randomUUID(),
  bytes = video.length,
  by = person,
): Promise<UploadState> {
  return answerOf(startUpload, await by.post(path(id), { fileName: 'steps.mp4', bytes }));
}

function send(id: string, offset: number, part: Buffer, headers: Record<string, string> = {}) {
  return person.request('PATCH', path(id), {
    body: new Uint8Array(part),
    headers: {
      'content-type': 'application/partial-upload',
      [UPLOAD_OFFSET_HEADER]: String(offset),
      ...headers,
    },
  });
}

/** The header that says what each chunk of a part is. */
function digests(part: Buffer): Record<string, string> {
  const each: string[] = [];
  for (let at = 0; at < part.length; at += UPLOAD_CHUNK_BYTES) {
    const chunk = part.subarray(at, at + UPLOAD_CHUNK_BYTES);
    each.push(`:${createHash('sha256').update(chunk).digest('base64')}:`);
  }
  return { [CHUNK_DIGESTS_HEADER]: each.join(', ') };
}

/** Says how large a part is and sends nothing of it. */
async function announcePart(id: string, length: number): Promise<IncomingMessage> {
  const request = httpRequest(new URL(path(id), server.url), {
    method: 'PATCH',
    headers: {
      'content-type': 'application/partial-upload',
      'content-length': length,
      [UPLOAD_OFFSET_HEADER]: '0',
      [XSRF_HEADER]: await person.cookie(XSRF_COOKIE),
      cookie: await person.jar.getCookieString(server.url),
    },
  });
  request.flushHeaders();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  request.destroy();
  return answer;
}

async function sendAll(id: string, content = video): Promise<void> {
  for (let at = 0; at < content.length; at += PART) {
    expectStatus(await send(id, at, content.subarray(at, at + PART)), 200);
  }
}

const sealWith = (uploads: string[], key: string = randomUUID(), files = [pdf()]) =>
  person.createCapsule(capsuleFields(person, { uploads }), files, { [IDEMPOTENCY_HEADER]: key });

/** Once the job has removed what is released. */
async function storedKeys(): Promise<string[]> {
  await removeReleased(server.deps, new AbortController().signal);
  return keysIn(server.deps.config);
}

describe('a resumable upload', () => {
  it('goes on where it was cut, and its capsule gives the same bytes back', async () => {
    const before = await storedKeys();
    const { id, offset } = await start();
    expect(offset).toBe(0);
    expect((await send(id, 0, video.subarray(0, PART))).headers.get(UPLOAD_OFFSET_HEADER)).toBe(
      `${PART}`,
    );
    // The answer was lost; the client asks, and a repeated announcement says the same.
    expect(answerOf(getUpload, await person.get(path(id)))).toMatchObject({
      offset: PART,
      complete: false,
    });
    expect(await start(id)).toMatchObject({ offset: PART });
    const again = await send(id, 0, video.subarray(0, PART));
    expect([again.status, codeOf(again)]).toEqual([409, 'UPLOAD_OFFSET_WRONG']);
    expect(codeOf(await sealWith([id]))).toBe('UPLOAD_INCOMPLETE');

    for (let at = PART; at < video.length; at += PART)
      await send(id, at, video.subarray(at, at + PART));
    expect(answerOf(getUpload, await person.get(path(id)))).toMatchObject({ complete: true });
    const capsule = answerOf(createCapsule, await sealWith([id]));
    expect(capsule.mediaCount).toBe(2);
    // One object a file: the parts are gone.
    expect((await storedKeys()).length).toBe(before.length + 2);
    expect((await person.get(path(id))).status).toBe(404);

    server.clock.set('2030-01-01T00:00:00Z');
    const opened = (await person.get(`/api/capsules/${capsule.id}`)).json as Capsule;
    expect(opened.fileInfo.map((file) => [file.fileName, file.fileType])).toEqual([
      ['The letter.pdf', 'application/pdf'],
      ['steps.mp4', 'video/mp4'],
    ]);
    const file = await person.get(`/api/capsules/download/${opened.fileInfo[1]?.fileId}`);
    expect(sha256(file.bytes)).toBe(sha256(video));
    server.clock.set('2029-12-20T12:00:00Z');
    await deleteForGood(person, capsule.id);
    expect(await storedKeys()).toEqual(before);
  });

  it('counts each part once, however many send it at the same time', async () => {
    const { id } = await start();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(id, 0, video.subarray(0, PART))),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(9);
    await person.delete(path(id));
  });

  it('keeps no part that was damaged on its way', async () => {
    const { id } = await start();
    const part = video.subarray(0, PART);
    const damaged = await send(id, 0, video.subarray(1, PART + 1), digests(part));
    expect([damaged.status, codeOf(damaged)]).toEqual([400, 'UPLOAD_PART_CORRUPT']);
    const unreadable = await send(id, 0, part, { [CHUNK_DIGESTS_HEADER]: 'sha-256=:abc:' });
    expect([unreadable.status, codeOf(unreadable)]).toEqual([400, 'VALIDATION_FAILED']);
    expect((await send(id, 0, part, digests(part))).status).toBe(200);
    await person.delete(path(id));
  });

  it('is refused as soon as its content shows, and by its size before anything is sent', async () => {
    const before = await storedKeys();
    const { id } = await start();
    const page = await send(id, 0, Buffer.alloc(PART, '<html>'));
    expect([page.status, codeOf(page)]).toEqual([415, 'FILE_TYPE_NOT_ACCEPTED']);
    const large = await person.post(path(randomUUID()), { fileName: 'a.mp4', bytes: 2_097_153 });
    expect([large.status, codeOf(large)]).toEqual([413, 'FILE_TOO_LARGE']);
    for (const body of [
      { fileName: '', bytes: 5 },
      { fileName: 'a', bytes: 0 },
      { fileName: 'a', bytes: 1.5 },
    ]) {
      expect((await person.post(path(randomUUID()), body)).status).toBe(400);
    }
    expect((await announcePart(id, UPLOAD_PART_MAX_BYTES + 1)).statusCode).toBe(413);
    expect((await send(id, 0, video.subarray(0, 9), { 'content-type': 'text/plain' })).status).toBe(
      415,
    );
    expect((await send(id, 0, video.subarray(0, 9), { [UPLOAD_OFFSET_HEADER]: '-1' })).status).toBe(
      400,
    );
    await person.delete(path(id));
    expect(await storedKeys()).toEqual(before);
  });

  it('counts against the limit from its announcement on, and frees it when given up', async () => {
    const ids = [await start(), await start(), await start(), await start()].map(
      (state) => state.id,
    );
    const fifth = await person.post(path(randomUUID()), { fileName: 'a.mp4', bytes: 1_000_000 });
    expect([fifth.status, codeOf(fifth)]).toEqual([413, 'STORAGE_LIMIT_REACHED']);
    for (const id of ids) expectStatus(await person.delete(path(id)), 200);
    const { id } = await start();
    await person.delete(path(id));
  });

  it('gives way after a day to what has no room: its device may be lost', async () => {
    const before = await storedKeys();
    const lost = [await start(), await start(), await start(), await start()];
    await send(lost[0]?.id ?? '', 0, video.subarray(0, PART));
    const fifth = randomUUID();
    server.clock.advance({ hours: 23 });
    expect((await person.post(path(fifth), { fileName: 'a.mp4', bytes: 1_000_000 })).status).toBe(
      413,
    );
    server.clock.advance({ hours: 2 });
    expect(await start(fifth)).toMatchObject({ offset: 0 });
    for (const { id } of lost) expect((await person.get(path(id))).status).toBe(404);
    await person.delete(path(fifth));
    expect(await storedKeys()).toEqual(before);

    // A whole capsule in one body, too.
    for (let count = 0; count < 4; count += 1) await start();
    const whole = [{ name: 'steps.mp4', type: 'video/mp4', bytes: video }];
    expect((await sealWith([], randomUUID(), whole)).status).toBe(413);
    server.clock.advance({ hours: 25 });
    const { id } = answerOf(createCapsule, await sealWith([], randomUUID(), whole));
    await deleteForGood(person, id);
    server.clock.set('2029-12-20T12:00:00Z');
  });

  it('takes no part that is packed', async () => {
    const { id } = await start();
    const packed = await send(id, 0, video.subarray(0, PART), { 'content-encoding': 'gzip' });
    expect([packed.status, codeOf(packed)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    await person.delete(path(id));
  });

  it('has the same name in capitals', async () => {
    const id = randomUUID().toUpperCase();
    await start(id);
    await sendAll(id);
    const { id: capsule } = answerOf(createCapsule, await sealWith([id]));
    await deleteForGood(person, capsule);
  });

  it("is nobody else's", async () => {
    const { id } = await start();
    const stranger = await signUp(server.url, 'Stranger');
    expect((await stranger.get(path(id))).status).toBe(404);
    expect((await stranger.post(path(id), { fileName: 'a', bytes: 5 })).status).toBe(404);
    expect((await stranger.delete(path(id))).status).toBe(404);
    await sendAll(id);
    const stolen = await stranger.createCapsule(capsuleFields(stranger, { uploads: [id] }));
    expect([stolen.status, codeOf(stolen)]).toEqual([404, 'UPLOAD_NOT_FOUND']);
    expect((await person.get(path(id))).status).toBe(200);
    await person.delete(path(id));
  });

  it('is swept away with its bytes when nobody comes back for a week', async () => {
    const before = await storedKeys();
    const { id } = await start();
    await send(id, 0, video.subarray(0, PART));
    const pass = () => sweep(server.deps, new AbortController().signal);
    server.clock.advance({ days: 6 });
    await pass();
    expect((await person.get(path(id))).json).toMatchObject({ offset: PART });
    server.clock.advance({ days: 2 });
    await pass();
    expect((await person.get(path(id))).status).toBe(404);
    expect(await storedKeys()).toEqual(before);
    server.clock.set('2029-12-20T12:00:00Z');
  });
});

describe('a repeated creation', () => {
  it('finds its capsule by uploads that are part of it by now', async () => {
    const { id } = await start();
    await sendAll(id);
    const key = randomUUID();
    const first = answerOf(createCapsule, await sealWith([id], key));
    expect(answerOf(createCapsule, await sealWith([id], key))).toEqual(first);
    const other = await sealWith([randomUUID()], key);
    expect([other.status, codeOf(other)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    await deleteForGood(person, first.id);
  });

  it('finds it also where its upload was announced anew meanwhile', async () => {
    const { id } = await start();
    await sendAll(id);
    const key = randomUUID();
    const first = answerOf(createCapsule, await sealWith([id], key));
    expect(await start(id)).toMatchObject({ offset: 0 });
    expect(answerOf(createCapsule, await sealWith([id], key))).toEqual(first);
    await person.delete(path(id));
    await deleteForGood(person, first.id);
  });

  it('finds the capsule that went by one body before', async () => {
    const key = randomUUID();
    const whole = { name: 'steps.mp4', type: 'video/mp4', bytes: video };
    const first = answerOf(createCapsule, await sealWith([], key, [whole]));
    const { id } = await start();
    await sendAll(id);
    expect(answerOf(createCapsule, await sealWith([id], key, []))).toEqual(first);
  });

  it.each(['Grandma "Oma".pdf', 'a\\b.pdf', 'two\nlines.pdf', '100%22.pdf'])(
    'finds it also where a form writes the name in its own way: %j',
    async (name) => {
      const key = randomUUID();
      const file = pdf(name);
      const first = answerOf(createCapsule, await sealWith([], key, [file]));
      const id = randomUUID();
      const announced = { fileName: name, bytes: file.bytes.length };
      answerOf(startUpload, await person.post(path(id), announced));
      expectStatus(await send(id, 0, file.bytes), 200);
      expect(answerOf(createCapsule, await sealWith([id], key, []))).toEqual(first);
      await person.delete(path(id));
    },
  );

  it('shows a quote in a name that came by a form', async () => {
    const file = pdf('Grandma "Oma".pdf');
    const capsule = answerOf(createCapsule, await sealWith([], randomUUID(), [file]));
    const [row] = await server.deps.db
      .select({ name: capsuleFiles.name })
      .from(capsuleFiles)
      .where(eq(capsuleFiles.capsuleId, capsule.id));
    expect(row?.name).toBe(file.name);
  });
});
