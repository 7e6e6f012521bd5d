import { DrizzleQueryError } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createMemoryStore } from '../../../tests/support/memory-store.ts';
import { AppError } from '../../app-error.ts';
import { discardFiles, discardRefused } from './stored-files.ts';

const log = pino({ level: 'silent' });

function watchDeletes() {
  const files = createMemoryStore();
  const seen = { deleted: [] as string[] };
  files.delete = async (keys) => {
    seen.deleted.push(...keys);
    return new Map(keys.includes('3') ? [['3', new Error('away')]] : []);
  };
  return { deps: { files, log }, seen };
}

it('many files are removed, and one that cannot be keeps none of the others', async () => {
  const { deps, seen } = watchDeletes();
  const keys = Array.from({ length: 30 }, (_, at) => String(at));
  expect(await discardFiles(deps, keys)).toEqual(keys.filter((key) => key !== '3'));
  expect(seen.deleted).toEqual(keys);
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
