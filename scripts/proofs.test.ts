import { expect, test } from 'vitest';
import { tableOf } from './proofs.mjs';

test('one row a case over all passes, with its median and its longest time', () => {
  const of = (name: string, passed: boolean, seconds: number) => ({ name, passed, seconds });
  expect(
    tableOf([of('a', true, 3), of('b', true, 1), of('a', false, 9), of('a', true, 4)]),
  ).toEqual([
    { name: 'a', passed: 2, failed: 1, median: 4, most: 9 },
    { name: 'b', passed: 1, failed: 0, median: 1, most: 1 },
  ]);
});
