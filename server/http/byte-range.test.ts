import { expect, test } from 'vitest';
import { parseRange } from './byte-range.ts';

test.each<[string | undefined, ReturnType<typeof parseRange>]>([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-5', { start: 2, end: 5 }],
  ['bytes=7-', { start: 7, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-30', { start: 0, end: 9 }],
  ['bytes=5-99999999999999999999', { start: 5, end: 9 }],
  ['Bytes= 1-2 ', { start: 1, end: 2 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=99999999999999999999-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  [undefined, null],
  ['', null],
  ['bytes=', null],
  ['bytes=-', null],
  ['bytes=5-2', null],
  ['bytes=0-1,3-4', null],
  ['bytes=a-b', null],
  ['bytes=0x1-2', null],
  ['items=0-1', null],
  ['0-1', null],
])('%j of ten bytes', (header, expected) => {
  expect(parseRange(header, 10)).toEqual(expected);
});

test('no part of an empty file can be had', () => {
  expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(parseRange('bytes=-1', 0)).toBe('unsatisfiable');
  expect(parseRange(undefined, 0)).toBeNull();
});
