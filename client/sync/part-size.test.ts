import { expect, it } from 'vitest';
import { nextPartBytes } from './part-size.ts';

const MIB = 1_048_576;

it.each([
  ['takes three seconds', 16, 1_000, 48],
  ['is at most four times as large', 4, 40, 16],
  ['is no larger than the server takes', 128, 40, 256],
  ['shrinks on a line that has become slow', 64, 12_000, 16],
  ['is no less than a chunk where that takes a while', 4, 19_000, 4],
  ['is a piece of a chunk on a slow line', 4, 60_000, 1.25],
  ['is never less than the smallest piece', 0.25, 60_000, 0.25],
  ['grows from a piece', 0.25, 100, 1],
  ['grows from pieces to a chunk', 1, 100, 4],
  ['grows where the clock stood still', 4, 0, 16],
])('the next part %s', (_what, bytes, milliseconds, expected) => {
  expect(nextPartBytes(bytes * MIB, milliseconds)).toBe(expected * MIB);
});
