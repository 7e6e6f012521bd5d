import { expect, test } from 'vitest';
import { figuresLine, tableOf } from './proofs.mjs';

test('one row a case over all passes, with its median and its longest time', () => {
  const of = (name: string, passed: boolean, seconds: number) => ({ name, passed, seconds });
  expect(
    tableOf([of('a', true, 3), of('b', true, 1), of('a', false, 9), of('a', true, 4)]),
  ).toEqual([
    { name: 'a', passed: 2, failed: 1, median: 4, most: 9 },
    { name: 'b', passed: 1, failed: 0, median: 1, most: 1 },
  ]);
});

test('one line of figures names the command that gives them again', () => {
  const figures = { seed: 7, passes: 2, passed: 1320, failed: 0 };
  expect(figuresLine('2030-01-31', { times: '2', only: 'closed-app' }, figures)).toBe(
    '| 2030-01-31 | `npm run proofs -- --times 2 --only "closed-app" --seed 7` | 2 | 1,320 | 0 |\n',
  );
});
