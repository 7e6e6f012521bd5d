import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBucket } from '../../server/files/bucket.ts';
import { createFileStore } from '../../server/files/create-file-store.ts';
import { type Capsule, getCapsule } from '../../shared/api/capsules.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { deleteForGood, seal } from '../support/capsules.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { largeVideo, pdf, photo } from '../support/fixtures.ts';
import { rare } from '../support/rare.ts';
import { type S3Fate, type S3Server, startS3Server } from '../support/s3-server.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const LARGE_BYTES = 6_000_000;
/** One call in five. */
const BREAK_EVERY = 5;
const FATES: S3Fate[] = ['refuse-500', 'lose-answer', 'refuse-503'];

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('with files in a bucket', () => {
  let s3: S3Server;
  let server: TestServer;
  let ada: SignedIn;

  beforeAll(async () => {
    s3 = await startS3Server();
    const files = await createFileStore({ s3: s3.options, dataDir: '/nowhere' });
    server = await startTestServer({ deps: { files } });
    ada = await signUp(server.url, 'Ada Lovelace');
  });
  afterAll(async () => {
    await server.close();
    await s3.close();
  });
  beforeEach(() => {
    s3.fate = () => 'pass';
  });

  const tomorrow = () => addDays(dayAt(server.clock.now(), 'UTC'), 1);
  const keys = async () => {
    const objects = await Readable.from(createBucket(s3.options).list('')).toArray();
    return objects.map(({ key }) => key).filter((key) => key.startsWith('capsules/'));
  };

  it('a capsule is kept, given back byte for byte and in parts, and deleted with its objects', async () => {
    const bytes = Buffer.concat(await largeVideo(LARGE_BYTES).toArray());
    const video = { name: 'lake.mp4', type: 'video/mp4', bytes };
    const { id } = await seal(ada, ada, { dateToUnlock: tomorrow() }, [video]);
    expect(await keys()).toHaveLength(1);
    server.clock.advance({ days: 1 });
    const { fileInfo } = answerOf(getCapsule, await ada.get(`/api/capsules/${id}`));
    const path = `/api/capsules/download/${fileInfo[0]?.fileId}`;
    expect(sha256((await ada.get(path)).bytes)).toBe(sha256(bytes));
    const part = await ada.get(path, { range: 'bytes=5000000-5000099' });
    expect(part.status).toBe(206);
    expect(part.bytes.equals(bytes.subarray(5_000_000, 5_000_100))).toBe(true);
    await deleteForGood(ada, id);
    await expect.poll(keys).toEqual([]);
  });

  rare('loses and doubles nothing while one call in five is broken', async () => {
    let calls = 0;
    let broken = 0;
    s3.fate = () => {
      calls += 1;
      if (calls % BREAK_EVERY !== 0) return 'pass';
      broken += 1;
      return FATES[broken % FATES.length] ?? 'pass';
    };
    const picture = await photo();
    const sealed: Capsule[] = [];
    for (let number = 0; number < 12; number += 1) {
      const change = { title: `Broken ${number}`, dateToUnlock: tomorrow() };
      sealed.push(await seal(ada, ada, change, [picture, pdf(`${number}.pdf`, `Page ${number}`)]));
    }
    server.clock.advance({ days: 1 });
    for (const [number, { id }] of sealed.entries()) {
      const { fileInfo } = answerOf(getCapsule, await ada.get(`/api/capsules/${id}`));
      const hashes = [];
      for (const { fileId } of fileInfo) {
        hashes.push(sha256((await ada.get(`/api/capsules/download/${fileId}`)).bytes));
      }
      const letter = pdf(`${number}.pdf`, `Page ${number}`).bytes;
      expect(hashes).toEqual([sha256(picture.bytes), sha256(letter)]);
    }
    expect(broken).toBeGreaterThan(8);
    s3.fate = () => 'pass';
    expect(await keys()).toHaveLength(24);
  });

  it('a bucket that is away is a 503 that leaves no capsule behind', async () => {
    s3.fate = () => 'refuse-503';
    const before = (await ada.get('/api/capsules/created')).json as { capsules: unknown[] };
    await expect(seal(ada, ada, { dateToUnlock: tomorrow() }, [pdf()])).rejects.toThrow(
      'Expected 201, got 503',
    );
    const after = (await ada.get('/api/capsules/created')).json as { capsules: unknown[] };
    expect(after.capsules).toHaveLength(before.capsules.length);
  });
});
