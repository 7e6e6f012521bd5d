import { EMPTY_DRAFT } from '../db/tables.ts';
import 'fake-indexeddb/auto';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { until } from '../../tests/support/until.ts';
import { db, openDatabase } from '../db/database.ts';
import { saveDraft } from '../db/drafts.ts';
import { attachFiles, copying, dismissRefusals, takeOut } from './attach-files.ts';
import { discardUnfinished } from './use-outbox.ts';

const capsuleId = sampleId(1);
const NOT_FULL = () => false;

beforeEach(async () => {
  vi.stubGlobal('navigator', {});
  await openDatabase(sampleId(101));
  await Promise.all(db.tables.map((table) => table.clear()));
  await saveDraft({ id: capsuleId, fields: EMPTY_DRAFT, updatedAt: 0 });
});

const isIdle = () => copying.get().jobs.length === 0 || null;
const left = async () => [await db.attachments.count(), await db.chunks.count()];

/** Begins to copy a file. @returns what is shown of it from now on */
function begin() {
  const letter = new File(['A letter'], 'letter.pdf', { type: 'application/pdf' });
  void attachFiles(capsuleId, [letter], async () => true, NOT_FULL);
  const job = copying.get().jobs.at(-1);
  if (!job) throw new Error('Nothing is being copied.');
  return job;
}

it('a file that is taken out while it is copied leaves nothing', async () => {
  const job = begin();
  let seen = 0;
  const stop = copying.subscribe(() => {
    const now = copying.get().jobs.find(({ id }) => id === job.id);
    if (seen > 0 || !now?.copiedBytes) return;
    seen = now.copiedBytes;
    void takeOut(capsuleId, job.id);
  });
  await until(isIdle);
  stop();
  expect(seen).toBeGreaterThan(0);
  await until(async () => (await left()).every((count) => count === 0) || null);
});

it('files that wait for their turn are noted, and the browser is asked to keep what it has', async () => {
  const persist = vi.fn(async () => true);
  vi.stubGlobal('navigator', { storage: { persist } });
  const noted: string[] = [];
  const put = db.attachments.put.bind(db.attachments);
  vi.spyOn(db.attachments, 'put').mockImplementation((row) => {
    noted.push(`${row.id} ${row.complete}`);
    return put(row);
  });
  const ids = [begin().id, begin().id];
  await until(isIdle);
  expect(noted.slice(0, 2)).toEqual(ids.map((id) => `${id} false`));
  expect(persist).toHaveBeenCalled();
  const files = await db.attachments.toArray();
  expect(files.map(({ complete }) => complete)).toEqual([true, true]);
});

it('one whose draft goes on under another id is stopped when that one is discarded', async () => {
  const job = begin();
  const draft = { id: sampleId(2), fields: EMPTY_DRAFT, files: [job.id], updatedAt: 0 };
  await discardUnfinished(draft);
  await until(isIdle);
  expect(await left()).toEqual([0, 0]);
});

it('one that is taken out while it waits is gone', async () => {
  begin();
  const waiting = begin();
  void takeOut(capsuleId, waiting.id);
  await until(isIdle);
  expect(await left()).toEqual([1, 1]);
});

it('one whose copy has ended in the moment of the press is gone all the same', async () => {
  const shown = begin();
  await until(isIdle);
  expect(await left()).toEqual([1, 1]);
  void takeOut(capsuleId, shown.id);
  await until(async () => (await left()).every((count) => count === 0) || null);
});

it('one that is taken out while its last part is being written does not come back', async () => {
  const update = db.attachments.update.bind(db.attachments);
  let taken = false;
  vi.spyOn(db.attachments, 'update').mockImplementation((id, change) => {
    if ('complete' in change && !taken) {
      taken = true;
      void takeOut(capsuleId, shown.id).catch(() => undefined);
    }
    return update(id, change);
  });
  const shown = begin();
  await until(isIdle);
  await until(async () => (await left()).every((count) => count === 0) || null);
  expect(taken).toBe(true);
});

it('one that the system never hands over can be taken out, and the next one is copied', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const hung = new File(['far away'], 'cloud.pdf', { type: 'application/pdf' });
  const never = () => new Promise<never>(() => {});
  hung.slice = () => Object.assign(new Blob(), { arrayBuffer: never });
  void attachFiles(capsuleId, [hung], async () => true, NOT_FULL);
  const job = copying.get().jobs.at(-1);
  begin();
  await until(async () => ((await left())[0] === 2 ? true : null));
  if (job) void takeOut(capsuleId, job.id);
  await vi.advanceTimersByTimeAsync(5_000);
  vi.useRealTimers();
  await until(isIdle);
  await until(async () => ((await left()).join() === '1,1' ? true : null));
});

it('a picture that is taken out while it is looked at does not come back', async () => {
  let look = (_: unknown) => {};
  vi.stubGlobal('createImageBitmap', () => new Promise((_, reject) => (look = reject)));
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const photo = new File(['A photo'], 'lake.png', { type: 'image/png' });
  void attachFiles(capsuleId, [photo], async () => true, NOT_FULL);
  const job = copying.get().jobs.at(-1);
  await until(async () => ((await left())[0] === 1 ? true : null));
  if (job) await takeOut(capsuleId, job.id);
  await vi.advanceTimersByTimeAsync(5_000);
  vi.useRealTimers();
  await until(isIdle);
  const put = vi.spyOn(db.attachments, 'put').mockClear();
  look(new Error('it came too late'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(put).not.toHaveBeenCalled();
  expect(await left()).toEqual([0, 0]);
});

it('without its draft no file is copied, and the sentence says whether there was room', async () => {
  const letter = new File(['A letter'], 'letter.pdf', { type: 'application/pdf' });
  const sentences = async (isFull: boolean) => {
    dismissRefusals(capsuleId);
    await attachFiles(
      capsuleId,
      [letter],
      async () => false,
      () => isFull,
    );
    return copying.get().refused[capsuleId];
  };
  expect(await sentences(false)).toEqual(["“letter.pdf” couldn't be saved on this device."]);
  expect(await sentences(true)).toEqual(["“letter.pdf” doesn't fit on this device."]);
  expect(await left()).toEqual([0, 0]);
});
