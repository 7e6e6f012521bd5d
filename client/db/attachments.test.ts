import { EMPTY_DRAFT } from './tables.ts';
import 'fake-indexeddb/auto';
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleId, sampleItem } from '../../tests/support/sample-capsule.ts';
import { attach } from './attach.support.ts';
import { loseUnfinished, readAttachments, sweepFiles } from './attachments.ts';
import { readPart } from './chunks.ts';
import { db, openDatabase } from './database.ts';
import { saveDraft } from './drafts.ts';
import { putPiece, readPieces } from './recordings.ts';

const PART = 4_194_304;
const ada = sampleId(101);
const draftId = sampleId(1);

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
  expect(await readAttachments(draftId)).toMatchObject([{ name, complete: false, lost: true }]);
  expect(await rows()).toEqual([1, 0]);
}

async function rows(): Promise<[files: number, chunks: number]> {
  return [await db.attachments.count(), await db.chunks.count()];
}

beforeEach(async () => {
  await openDatabase(ada);
  await Promise.all(db.tables.map((table) => table.clear()));
  await saveDraft({ id: draftId, fields: EMPTY_DRAFT, updatedAt: 0 });
});

describe('keeping a picked file', () => {
  it('copies every byte, a chunk at a time', async () => {
    const file = film(PART + 5);
    const steps: number[] = [];
    const kept = await attach(draftId, file, { onProgress: (at) => steps.push(at) });
    expect(kept).toMatchObject({ complete: true, bytes: PART + 5, name: 'film.mp4' });
    expect(steps).toEqual([PART, PART + 5]);
    const first = await readPart(kept, 0, PART);
    const whole = await new Blob([first, await readPart(kept, PART, PART)]).arrayBuffer();
    expect(sha256(whole)).toBe(sha256(await file.arrayBuffer()));
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
    await expect(attach(draftId, file)).rejects.toMatchObject({ problem: 'unreadable' });
    await expectOnlyName(file.name);
  });

  it('is sent chunk by chunk, however much is asked for', async () => {
    const kept = await attach(draftId, film(2 * PART + 5));
    expect((await readPart(kept, PART, 16 * PART)).size).toBe(PART);
  });

  it.each([
    ['goes on in the middle of a chunk', PART + 2, PART, 3],
    ['is sent in pieces of a chunk', 0, 1_000, 1_000],
    ['has pieces that end with their chunk', PART - 10, 1_000, 10],
  ])('%s', async (_, start, most, bytes) => {
    const file = film(PART + 5);
    const kept = await attach(draftId, file);
    const body = await readPart(kept, start, most);
    expect(body.size).toBe(bytes);
    const expected = await file.slice(start, start + bytes).arrayBuffer();
    expect(sha256(await body.arrayBuffer())).toBe(sha256(expected));
  });

  it('has nothing from its end on, also where that is the end of a chunk', async () => {
    const kept = await attach(draftId, film(PART));
    expect((await readPart(kept, PART, PART)).size).toBe(0);
  });

  it.each([
    ['has become shorter', vanishing(PART + 5, PART + 1), 'unreadable'],
    ['is gone', vanishing(10, 0), 'unreadable'],
  ])('keeps but the name of one that %s, and says so', async (_, file, problem) => {
    await expect(attach(draftId, file)).rejects.toMatchObject({ problem });
    await expectOnlyName(file.name);
  });

  it('keeps but the name of one that does not fit, and the others stay', async () => {
    await attach(draftId, film(5, 'small.mp4'));
    const full = new DOMException('Full', 'QuotaExceededError');
    const put = vi.spyOn(db.chunks, 'put').mockRejectedValueOnce(full);
    await expect(attach(draftId, film(5))).rejects.toMatchObject({
      problem: 'device-full',
    });
    expect(put).toHaveBeenCalledOnce();
    put.mockRejectedValueOnce(full);
    await expect(attach(draftId, film(5))).rejects.toThrow();
    // Named once, however often it was tried.
    await sweepFiles();
    const [small, ...others] = await readAttachments(draftId);
    expect(small).toMatchObject({ name: 'small.mp4', complete: true });
    expect(others).toMatchObject([{ name: 'film.mp4', complete: false, lost: true }]);
    expect(await rows()).toEqual([2, 1]);
  });

  it('keeps nothing of one that is taken out while it is copied', async () => {
    const abort = new AbortController();
    const onProgress = () => abort.abort();
    const { signal } = abort;
    await expect(attach(draftId, film(2 * PART), { onProgress, signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(await rows()).toEqual([0, 0]);
  });
});

it('a draft that is sealed or discarded meanwhile takes no more files', async () => {
  await db.drafts.clear();
  await db.outbox.put(sampleItem(1));
  await expect(attach(draftId, film(5))).rejects.toMatchObject({ problem: 'unreadable' });
  expect(await rows()).toEqual([0, 0]);
});

it('one that goes on under another id takes what was picked for it', async () => {
  const goesOnAs = sampleId(2);
  await db.drafts.clear();
  await saveDraft({ id: goesOnAs, fields: EMPTY_DRAFT, updatedAt: 0 });
  await db.goneDrafts.put({ id: draftId, goesOnAs, fields: { title: '' }, goneAt: 0 });
  const { id } = await attach(draftId, film(5));
  expect(await readAttachments(goesOnAs)).toMatchObject([{ id, complete: true }]);
});

describe('cleaning up', () => {
  it('removes half copies and what nothing names, and no more', async () => {
    const kept = await attach(draftId, film(5));
    const orphan = await attach(draftId, film(5));
    await db.drafts.update(draftId, { files: [kept.id] });
    const half = await attach(draftId, film(5, 'cut off.mp4'));
    await db.attachments.put({ ...half, complete: false });
    await loseUnfinished();
    const left = (await db.attachments.toArray()).map(({ id }) => id);
    expect(left.toSorted()).toEqual([kept.id, half.id].toSorted());
    expect(left).not.toContain(orphan.id);
    expect(await db.chunks.count()).toBe(1);
    // The draft is told of it, however often the app is started meanwhile.
    await loseUnfinished();
    const lost = (await readAttachments(draftId)).filter((file) => file.lost);
    expect(lost.map(({ name, complete }) => [name, complete])).toEqual([['cut off.mp4', false]]);
  });

  it('leaves alone what this page is copying', async () => {
    const running = await attach(draftId, film(5));
    await db.attachments.put({ ...running, complete: false });
    await loseUnfinished([running.id]);
    const [left] = await readAttachments(draftId);
    expect(left).toMatchObject({ id: running.id });
    expect(left).not.toHaveProperty('lost');
    expect(await db.chunks.count()).toBe(1);
  });

  it('removes the files of a draft that is gone with their bytes, and its recording', async () => {
    await attach(draftId, film(PART + 1));
    const other = sampleId(2);
    await saveDraft({ id: other, fields: EMPTY_DRAFT, updatedAt: 0 });
    const file = await attach(other, film(5));
    for (const id of [draftId, other]) await putPiece(id, 1, new Blob(['of a recording']));
    await db.drafts.delete(draftId);
    await sweepFiles();
    expect((await db.attachments.toArray()).map(({ id }) => id)).toEqual([file.id]);
    expect(await db.chunks.count()).toBe(2);
    expect(await readPieces(other)).toHaveLength(1);
  });

  it('writes nothing where there is nothing to remove', async () => {
    await attach(draftId, film(5));
    const transaction = vi.spyOn(db, 'transaction');
    await sweepFiles();
    expect(transaction).not.toHaveBeenCalled();
  });

  it('keeps what a queued capsule names', async () => {
    const file = await attach(draftId, film(5));
    await db.outbox.put(sampleItem(2, { files: [file.id] }));
    await db.drafts.delete(draftId);
    await sweepFiles();
    expect(await rows()).toEqual([1, 1]);
  });
});

it('a chunk that was cut short on this device is noticed before it is sent', async () => {
  const kept = await attach(draftId, film(5));
  const chunk = await db.chunks.get([kept.id, 0]);
  if (chunk) await db.chunks.put({ ...chunk, bytes: chunk.bytes.slice(1) });
  await expect(readPart(kept, 0, PART)).rejects.toMatchObject({ problem: 'unreadable' });
});

it('a chunk that a version before has stored as a Blob is read', async () => {
  const kept = await attach(draftId, film(5));
  // A Blob doesn't come back from the database of these tests.
  const bytes = new Blob([new Uint8Array([0, 1, 2, 3, 4])]);
  vi.spyOn(db.chunks, 'get').mockResolvedValueOnce({ attachmentId: kept.id, index: 0, bytes });
  const part = await (await readPart(kept, 1, PART)).arrayBuffer();
  expect([...new Uint8Array(part)]).toEqual([1, 2, 3, 4]);
});
