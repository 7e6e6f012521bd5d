import 'fake-indexeddb/auto';
import { beforeEach, expect, it } from 'vitest';
import { MEGABYTE } from '../../shared/limits.ts';
import { sampleCapsule, sampleId } from '../../tests/support/sample-capsule.ts';
import { forgetCapsule, listKey, putResponse } from './cache.ts';
import { db, openDatabase } from './database.ts';
import { putShown, readShown } from './shown-files.ts';
import type { ShownFileRow } from './tables.ts';

const MINE = { capsuleId: sampleId(1) };
const OTHER = { capsuleId: sampleId(2) };

function row(fileId: string, savedAt: number, more: Partial<ShownFileRow> = {}): ShownFileRow {
  const bytes = new ArrayBuffer(8);
  return { fileId, ...MINE, bytes, size: 8, type: 'image/webp', width: 480, savedAt, ...more };
}

const saved = async () => (await db.shownFiles.toArray()).map(({ fileId }) => fileId);

beforeEach(async () => {
  await openDatabase(sampleId(101));
  await db.shownFiles.clear();
});

it('of which there are too many bytes, the oldest go', async () => {
  const size = 12 * MEGABYTE;
  await putShown(row('first', 1, { size }));
  await putShown(row('second', 2, { size }));
  expect(await saved()).toEqual(['first', 'second']);
  await putShown(row('third', 3, { size }));
  expect(await saved()).toEqual(['second', 'third']);
  // One that was replaced counts once, and is as young as its copy.
  await putShown(row('second', 4, { size }));
  await putShown(row('fourth', 5, { size }));
  expect(await saved()).toEqual(['fourth', 'second']);
});

it('is deleted with its capsule, by whomever', async () => {
  await putShown(row('mine', 1));
  await putShown(row('other', 2, OTHER));
  await forgetCapsule(MINE.capsuleId);
  expect(await saved()).toEqual(['other']);

  const request = { type: 'created', query: '', page: 1 } as const;
  const page = (capsules = [sampleCapsule(2)]) => ({
    capsules,
    pagination: { currentPage: 1, totalPages: 1, itemsPerPage: 6, totalItems: capsules.length },
  });
  await putResponse(listKey(request), page(), 1);
  await putResponse(listKey(request), page([]), 2);
  expect(await readShown('other')).toBeUndefined();
});
