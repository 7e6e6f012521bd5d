import { expect, it } from 'vitest';
import { waitedText } from './waited.ts';

it.each([
  ['2019-06-14', '2026-11-22', 'Seven years, five months'],
  ['2019-06-14', '2020-06-14', 'One year'],
  ['2019-06-14', '2020-06-13', 'Eleven months'],
  ['2001-01-01', '2044-03-01', '43 years, one month'],
  ['2026-01-01', '2026-01-09', 'Eight days'],
  ['2026-01-01', '2026-01-02', 'One day'],
  ['2024-02-29', '2025-02-28', 'One year'],
])('from %s to %s it is "%s"', (from, to, text) => {
  expect(waitedText(from, to)).toBe(text);
});
