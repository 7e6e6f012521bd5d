import 'fake-indexeddb/auto';
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleId, sampleItem } from '../../tests/support/sample-capsule.ts';
import { db } from './db.ts';
import { EMPTY_DRAFT, saveDraft } from './drafts.ts';
import { keepFile, noteLost, removeUnfinished } from './keep-file.ts';
import { readChunk, readPart, readWhole } from './kept-bytes.ts';
import { readFiles, removeFile, removeFilesOf } from './kept-files.ts';

const PART = 4_194_304;
const ada = sampleId(101);
const capsuleId = sampleId(1);

function film(length: number, name = 'film.mp4'): File {
  const bytes = new Uint8Array(length).map((_, at) => at % 251);
  return new File([bytes], name, { type: 'video/mp4' });
}

function sha256(bytes: ArrayBuffer): string {
  return createHash('sha256').update(new Uint8Array(bytes)).digest('hex');
}

/** A picked file whose bytes change or vanish after it was picked. */
function vanishing(length: number, readable: number): File {
  const file = film(length);
  const slice = file.slice.bind(file);
  file.slice = (start = 0, end = length) => slice(start, Math.min(end, readable));
  return file;
}

/** Its person must hear of it, tomorrow too. */
async function expectOnlyName(name: string): Promise<void> {
  expect(await readFiles(ada, capsuleId)).toMatchObject([{ name, complete: false, lost: true }]);
  expect(await rows()).toEqual([1, 0]);
}

async function rows(): Promise<[files: number, chunks: number]> {
  return [await db.files.count(), await db.bytes.count()];
}

beforeEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(db.tables.map((table) => table.clear()));
  await db.meta.put({ key: 'owner', value: ada });
  await saveDraft({ owner: ada, id: capsuleId, fields: EMPTY_DRAFT, updatedAt: 0 });
});

describe('keeping a picked file', () => {
  it('copies every byte, a chunk at a time, with its hashes', async () => {
    const file = film(PART + 5);
    const steps: number[] = [];
    const kept = await keepFile(ada, capsuleId, file, { onProgress: (at) => steps.push(at) });
    expect(kept).toMatchObject({ complete: true, bytes: PART + 5, name: 'film.mp4' });
    expect(steps).toEqual([PART, PART + 5]);
    const whole = await (await readWhole(kept)).arrayBuffer();
    expect(sha256(whole)).toBe(sha256(await file.arrayBuffer()));
    const { bytes, digest } = await readChunk(kept, 1);
    const second = bytes instanceof ArrayBuffer ? bytes : await bytes.arrayBuffer();
    expect(digest && Buffer.from(digest).toString('hex')).toBe(sha256(second));
  });

  it('looks at the file once more: what was written into it during its last read is not kept', async () => {
    const file = film(PART + 5);
    const slice = file.slice.bind(file);
    let reads = 0;
    file.slice = (...range) => {
      reads += 1;
      // As the browser answers once the file has changed.
      return reads > 2 ? new Blob() : slice(...range);
    };
    await expect(keepFile(ada, capsuleId, file)).rejects.toMatchObject({ reason: 'unreadable' });
    await expectOnlyName(file.name);
  });

  it.each([2, 3])(
    'keeps no mixture of what is overwritten at read %i, its size and time the same',
    async (read) => {
      const file = film(3 * PART);
      const disk = Buffer.from(await file.arrayBuffer());
      let reads = 0;
      file.slice = (start, end) => {
        reads += 1;
        if (reads === read) disk.fill('x');
        return new Blob([disk.subarray(start, end)]);
      };
      await expect(keepFile(ada, capsuleId, file)).rejects.toMatchObject({ reason: 'unreadable' });
      await expectOnlyName(file.name);
    },
  );

  it('copies the same where the browser fills no buffers of ours', async () => {
    const file = film(PART + 5);
    const slice = file.slice.bind(file);
    file.slice = (start, end) => {
      const part = slice(start, end);
      part.stream = () => new ReadableStream();
      return part;
    };
    const kept = await keepFile(ada, capsuleId, file);
    const whole = await (await readWhole(kept)).arrayBuffer();
    expect(sha256(whole)).toBe(sha256(await file.arrayBuffer()));
  });

  it('is sent chunk by chunk where chunks are buffers, however much is asked for', async () => {
    const kept = await keepFile(ada, capsuleId, film(2 * PART + 5));
    const { body, digests } = await readPart(kept, PART, 16 * PART);
    expect([body.size, digests.length]).toEqual([PART, 1]);
  });

  it.each([
    ['goes on in the middle of a chunk', PART + 2, PART, 3],
    ['is sent in pieces of a chunk', 0, 1_000, 1_000],
    ['has pieces that end with their chunk', PART - 10, 1_000, 10],
  ])('%s, with the hash of what is sent', async (_, start, most, bytes) => {
    const file = film(PART + 5);
    const kept = await keepFile(ada, capsuleId, file);
    const { body, digests } = await readPart(kept, start, most);
    expect(body.size).toBe(bytes);
    const expected = await file.slice(start, start + bytes).arrayBuffer();
    expect(sha256(await body.arrayBuffer())).toBe(sha256(expected));
    expect(digests.map((digest) => Buffer.from(digest).toString('hex'))).toEqual([
      sha256(expected),
    ]);
  });

  it('has nothing from its end on, also where that is the end of a chunk', async () => {
    const kept = await keepFile(ada, capsuleId, film(PART));
    expect((await readPart(kept, PART, PART)).body.size).toBe(0);
  });

  it.each([
    ['has become shorter', vanishing(PART + 5, PART + 1), 'unreadable'],
    ['is gone', vanishing(10, 0), 'unreadable'],
  ])('keeps but the name of one that %s, and says so', async (_, file, reason) => {
    await expect(keepFile(ada, capsuleId, file)).rejects.toMatchObject({ reason });
    await expectOnlyName(file.name);
  });

  it('says of one that is empty that it is', async () => {
    await expect(keepFile(ada, capsuleId, film(0))).rejects.toMatchObject({ reason: 'empty' });
  });

  it('keeps but the name of one that does not fit, and the others stay', async () => {
    await keepFile(ada, capsuleId, film(5, 'small.mp4'));
    const full = new DOMException('Full', 'QuotaExceededError');
    const put = vi.spyOn(db.bytes, 'put').mockRejectedValueOnce(full);
    await expect(keepFile(ada, capsuleId, film(5))).rejects.toMatchObject({
      reason: 'device-full',
    });
    expect(put).toHaveBeenCalledOnce();
    put.mockRejectedValueOnce(full);
    await expect(keepFile(ada, capsuleId, film(5))).rejects.toThrow();
    // Named once, however often it was tried.
    const [small, ...others] = await readFiles(ada, capsuleId);
    expect(small).toMatchObject({ name: 'small.mp4', complete: true });
    expect(others).toMatchObject([{ name: 'film.mp4', complete: false, lost: true }]);
    expect(await rows()).toEqual([2, 1]);
  });

  it('keeps nothing of one that is taken out while it is copied', async () => {
    const abort = new AbortController();
    const onProgress = () => abort.abort();
    const { signal } = abort;
    await expect(
      keepFile(ada, capsuleId, film(2 * PART), { onProgress, signal }),
    ).rejects.toMatchObject({ name: 'AbortError' });
    expect(await rows()).toEqual([0, 0]);
  });
});

it('a draft that is sealed or discarded meanwhile takes no more files', async () => {
  await db.drafts.clear();
  await db.outbox.put(sampleItem(1));
  await expect(keepFile(ada, capsuleId, film(5))).rejects.toMatchObject({ reason: 'unreadable' });
  expect(await rows()).toEqual([0, 0]);
});

describe('cleaning up', () => {
  it('removes half copies and what nothing names, and no more', async () => {
    const kept = await keepFile(ada, capsuleId, film(5));
    const orphan = await keepFile(ada, capsuleId, film(5));
    await db.files.put({ ...orphan, capsuleId: sampleId(2) });
    const half = await keepFile(ada, capsuleId, film(5, 'cut off.mp4'));
    await db.files.put({ ...half, complete: false });
    const bytes = new ArrayBuffer(1);
    await db.bytes.put({ bytes, digest: bytes }, [ada, sampleId(9), 0]);
    const grace = sampleId(102);
    await db.meta.put({ key: 'owner', value: grace });
    await saveDraft({ owner: grace, id: sampleId(3), fields: EMPTY_DRAFT, updatedAt: 0 });
    const theirs = await keepFile(grace, sampleId(3), film(5));
    await removeUnfinished(ada);
    const left = (await db.files.toArray()).map(({ id }) => id);
    expect(left.toSorted()).toEqual([kept.id, half.id, theirs.id].toSorted());
    expect(left).not.toContain(orphan.id);
    expect(await db.bytes.count()).toBe(2);
    // The draft is told of it, however often the app is started meanwhile.
    await removeUnfinished(ada);
    const lost = (await readFiles(ada, capsuleId)).filter((file) => file.lost);
    expect(lost.map(({ name, complete }) => [name, complete])).toEqual([['cut off.mp4', false]]);
  });

  it('keeps the names of files whose bytes the browser has taken away', async () => {
    const [kept, gone] = [await keepFile(ada, capsuleId, film(5)), film(7, 'gone.mp4')];
    const row = await keepFile(ada, capsuleId, gone);
    await removeFile(ada, row.id);
    expect((await noteLost([kept, row])).map(({ name }) => name)).toEqual(['gone.mp4']);
    expect(await readFiles(ada, capsuleId)).toEqual([
      kept,
      { ...row, complete: false, lost: true },
    ]);
  });

  it('removes the files of one draft with their bytes', async () => {
    await keepFile(ada, capsuleId, film(PART + 1));
    await saveDraft({ owner: ada, id: sampleId(2), fields: EMPTY_DRAFT, updatedAt: 0 });
    const other = await keepFile(ada, sampleId(2), film(5));
    await removeFilesOf(ada, capsuleId);
    expect((await db.files.toArray()).map(({ id }) => id)).toEqual([other.id]);
    expect(await db.bytes.count()).toBe(1);
  });
});

it('a chunk that was damaged on this device is noticed before it is sent', async () => {
  const kept = await keepFile(ada, capsuleId, film(5));
  const chunk = await db.bytes.get([ada, kept.id, 0]);
  if (chunk) await db.bytes.put({ ...chunk, bytes: chunk.bytes.slice(1) }, [ada, kept.id, 0]);
  await expect(readPart(kept, 0, PART)).rejects.toMatchObject({ reason: 'unreadable' });
});

it('what cannot be read at present is told from what has changed', async () => {
  const kept = await keepFile(ada, capsuleId, film(5));
  const { digest } = await readChunk(kept, 0);
  const unread = Object.assign(new Blob(['12345']), {
    arrayBuffer: () => Promise.reject(new Error('not now')),
  });
  const get = vi.spyOn(db.bytes, 'get');
  get.mockResolvedValue({ bytes: unread, digest });
  await expect(readChunk(kept, 0)).rejects.toMatchObject({ cause: new Error('not now') });
  get.mockResolvedValueOnce({ bytes: unread, digest });
  get.mockResolvedValueOnce({ bytes: await film(5).arrayBuffer(), digest });
  expect((await readChunk(kept, 0)).digest).toEqual(digest);
  get.mockResolvedValue({ bytes: new Blob(['54321']), digest });
  const changed = await readChunk(kept, 0).catch((error: Error) => error);
  expect(changed).toMatchObject({ reason: 'unreadable', file: { name: 'film.mp4' } });
  expect((changed as Error).cause).toBeUndefined();
});

describe('a file that an older version of the app kept', () => {
  /** As version 3 of the tables had it. */
  async function keptBefore() {
    const kept = await keepFile(ada, capsuleId, film(PART + 5));
    for (const index of [0, 1]) {
      const chunk = await db.bytes.get([ada, kept.id, index]);
      if (chunk) await db.chunks.put({ owner: ada, fileId: kept.id, index, ...chunk });
    }
    await db.bytes.clear();
    return kept;
  }

  it('is read', async () => {
    const kept = await keptBefore();
    expect((await readWhole(kept)).size).toBe(PART + 5);
    await removeUnfinished(ada);
    expect((await readWhole(kept)).size).toBe(PART + 5);
  });

  it('goes with its draft, and when nothing names it', async () => {
    await keptBefore();
    await removeFilesOf(ada, capsuleId);
    expect(await db.chunks.count()).toBe(0);
    await keptBefore();
    await db.drafts.clear();
    await removeUnfinished(ada);
    expect(await db.chunks.count()).toBe(0);
  });
});
