import { expect, it } from 'vitest';
import { nextPartBytes } from './part-size.ts';

const MIB = 1_048_576;

it.each([
  ['takes three seconds', 16, 1_000, 48],
  ['is at most four times as large', 4, 40, 16],
  ['is no larger than the server takes', 128, 40, 256],
  ['shrinks on a line that has become slow', 64, 12_000, 16],
  ['is never less than a chunk', 4, 60_000, 4],
  ['grows where the clock stood still', 4, 0, 16],
])('the next part %s', (_what, bytes, milliseconds, expected) => {
  expect(nextPartBytes(bytes * MIB, milliseconds)).toBe(expected * MIB);
});
