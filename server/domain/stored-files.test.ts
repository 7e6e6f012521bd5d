import { DrizzleQueryError } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { AppError } from '../app-error.ts';
import { createMemoryStore } from '../files/memory.ts';
import { discardFiles, discardRefused } from './stored-files.ts';

const log = pino({ level: 'silent' });

function watchDeletes() {
  const files = createMemoryStore();
  const seen = { deleted: [] as string[], most: 0 };
  let now = 0;
  files.delete = async (key) => {
    now += 1;
    seen.most = Math.max(seen.most, now);
    await new Promise((resolve) => setTimeout(resolve));
    now -= 1;
    seen.deleted.push(key);
    if (key === '3') throw new Error('away');
  };
  return { deps: { files, log }, seen };
}

it('many files are removed a few at a time, and one that cannot be keeps none of the others', async () => {
  const { deps, seen } = watchDeletes();
  const keys = Array.from({ length: 30 }, (_, at) => String(at));
  await discardFiles(deps, keys);
  expect(seen.deleted.toSorted()).toEqual(keys.toSorted());
  expect(seen.most).toBe(8);
});

const refusedBy = (code: string) =>
  new DrizzleQueryError('insert', [], Object.assign(new Error('no'), { code }));

it.each([
  ['we refused', new AppError('STORAGE_LIMIT_REACHED'), ['key']],
  ['waited too long for a lock', refusedBy('57014'), ['key']],
  ['found the disk of the database full', refusedBy('53100'), ['key']],
  ['lost its database, perhaps after the commit', refusedBy('57P01'), []],
  ['failed for an unknown reason', new Error('?'), []],
])('what a transaction that %s was to name', async (_, error, deleted) => {
  const { deps, seen } = watchDeletes();
  await discardRefused(deps, ['key'], error);
  expect(seen.deleted).toEqual(deleted);
});
