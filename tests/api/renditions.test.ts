import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import * as schema from '../../server/db/schema.ts';
import { type Capsule, getCapsule } from '../../shared/api/capsules.ts';
import { FILE_LOST } from '../../shared/sentences.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { CAMERA, heic, photo } from '../support/fixtures.ts';
import { rare } from '../support/rare.ts';
import { sharedServer } from '../support/server.ts';

const NEVER_THERE = '00000000-0000-4000-8000-000000000000';
const LARGE = { width: 1_800, height: 1_350 };

const server = sharedServer({ clock: '2029-12-20T12:00:00Z', config: { rateLimits: true } });
let creator: SignedIn;
let recipient: SignedIn;
let stranger: SignedIn;

beforeAll(async () => {
  creator = await signUp(server.url, 'Creator');
  recipient = await signUp(server.url, 'Recipient');
  stranger = await signUp(server.url, 'Stranger');
});

const pathOf = (fileId = NEVER_THERE, size = 'small') =>
  `/api/capsules/download/${fileId}/rendition?size=${size}`;

/** The files of a capsule, locked or not, as they are stored. */
const storedOf = ({ id }: Capsule) =>
  server.deps.db.query.capsuleFiles.findMany({ where: (file, { eq }) => eq(file.capsuleId, id) });

async function sealPhoto(change = {}) {
  const sealed = await seal(creator, recipient, change, [await photo('The lake.jpg', LARGE)]);
  const [file] = await storedOf(sealed);
  if (!file) throw new Error('No file was stored.');
  return { sealed, file };
}

/** What each of them is told, the same for all where nobody may see it. */
async function answersOf(path: string) {
  const answers = await Promise.all(
    [creator, recipient, stranger].map((person) => person.get(path)),
  );
  return answers.map(({ status, text, headers }) => ({ status, text, etag: headers.get('etag') }));
}

describe('a rendition', () => {
  it('of a locked capsule is told from none that never was in no byte, whoever asks', async () => {
    server.clock.set('2029-12-20T12:00:00Z');
    const { file } = await sealPhoto();
    const refusals = [
      ...(await answersOf(pathOf())),
      ...(await answersOf(pathOf(file.id))),
      ...(await answersOf(pathOf(file.id, 'large'))),
    ];
    server.clock.set('2029-12-31T23:59:59Z');
    refusals.push(...(await answersOf(pathOf(file.id))));
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    expect(refusals[0]?.status).toBe(404);

    server.clock.set('2030-01-01T00:00:00Z');
    const statuses = (await answersOf(pathOf(file.id))).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 404]);
  });

  it('is small, comes as WebP without place and camera, and is kept by nobody', async () => {
    server.clock.set('2029-12-20T12:00:00Z');
    const { file } = await sealPhoto();
    server.clock.set('2030-01-01T00:00:00Z');
    const widths: Record<string, number> = { small: 480, large: 1_200 };
    for (const size of ['small', 'large']) {
      const { status, bytes, headers } = await recipient.get(pathOf(file.id, size));
      expect([status, headers.get('content-type')]).toEqual([200, 'image/webp']);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('etag')).toBeNull();
      const { width, height = 0, exif } = await sharp(bytes).metadata();
      expect([width, height, exif]).toEqual([widths[size], (width * 3) / 4, undefined]);
      expect(bytes.includes(CAMERA)).toBe(false);
      expect(bytes.length).toBeLessThan(file.bytes / 2);
    }
  });

  it('has two sizes and no others', async () => {
    for (const size of ['480', '9999', 'SMALL', '']) {
      expect((await recipient.get(pathOf(NEVER_THERE, size))).status).toBe(400);
    }
  });

  it('of a capsule that was put away is there, of a deleted one it is not', async () => {
    server.clock.set('2029-12-20T12:00:00Z');
    const { sealed, file } = await sealPhoto();
    server.clock.set('2030-01-01T00:00:00Z');
    await recipient.put(`/api/capsules/${sealed.id}/hidden`, { hidden: true });
    expect((await recipient.get(pathOf(file.id))).status).toBe(200);
    await creator.delete(`/api/capsules/${sealed.id}`);
    const refusals = [...(await answersOf(pathOf(file.id))), ...(await answersOf(pathOf()))];
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
  });

  it('of a damaged file is refused, and the file counts as damaged from then on', async () => {
    server.clock.set('2029-12-20T12:00:00Z');
    const { file } = await sealPhoto();
    server.clock.set('2030-01-01T00:00:00Z');
    const { bytes } = await recipient.get(`/api/capsules/download/${file.id}`);
    bytes.write('rot!', bytes.length - 20);
    await server.deps.files.write(file.storageKey, Readable.from([bytes]));
    const refused = await recipient.get(pathOf(file.id));
    expect([refused.status, refused.json]).toMatchObject([410, { code: 'FILE_DAMAGED' }]);
    const head = await recipient.request('HEAD', `/api/capsules/download/${file.id}`);
    expect(head.status).toBe(410);
  });

  it('of a lost file, like the file itself, is refused with one true sentence', async () => {
    server.clock.set('2029-12-20T12:00:00Z');
    const { file, sealed } = await sealPhoto();
    const { capsuleFiles } = schema;
    const lost = { lostAt: server.clock.now() };
    await server.deps.db.update(capsuleFiles).set(lost).where(eq(capsuleFiles.id, file.id));
    const download = `/api/capsules/download/${file.id}`;
    // Before the day it is like any other.
    expect((await recipient.get(download)).status).toBe(404);
    server.clock.set('2030-01-01T00:00:00Z');
    for (const path of [download, pathOf(file.id)]) {
      const { status, json } = await recipient.get(path);
      expect([status, json]).toMatchObject([410, { code: 'FILE_DAMAGED', message: FILE_LOST }]);
    }
    const view = answerOf(getCapsule, await recipient.get(`/api/capsules/${sealed.id}`));
    expect(view.fileInfo).toMatchObject([{ fileName: 'The lake.jpg', lost: true }]);
  });

  it('of a photograph that is not decoded is refused, and the photograph is there', async () => {
    server.clock.set('2029-12-20T12:00:00Z');
    const sealed = await seal(creator, recipient, {}, [await heic()]);
    const [file] = await storedOf(sealed);
    server.clock.set('2030-01-01T00:00:00Z');
    const refused = await recipient.get(pathOf(file?.id));
    expect([refused.status, refused.json]).toMatchObject([415, { code: 'FILE_TYPE_NOT_ACCEPTED' }]);
    expect((await recipient.get(`/api/capsules/download/${file?.id}`)).status).toBe(200);
  });

  rare('is made for the twenty photographs of a capsule at once, and not without end', async () => {
    server.clock.set('2029-12-20T12:00:00Z');
    const { file } = await sealPhoto();
    server.clock.set('2030-01-01T00:00:00Z');
    const ask = (person: SignedIn) => person.get(pathOf(file.id)).then(({ status }) => status);
    const album = Array.from({ length: 20 }, () => ask(recipient));
    expect(new Set(await Promise.all(album))).toEqual(new Set([200]));
    const flood = Array.from({ length: 100 }, () => ask(creator));
    expect(new Set(await Promise.all(flood))).toEqual(new Set([200, 503]));
  });
});
