import { count, either, flag, instant, none, shape, text } from './checks.ts';
import type { KeptFileRow } from './db.ts';

const file = shape({
  owner: text,
  id: text,
  capsuleId: text,
  name: text,
  type: text,
  bytes: (value) => count(value) && Number.isInteger(value) && value !== 0,
  lastModified: (value) => typeof value === 'number',
  thumbnail: either(none, (value) => value instanceof ArrayBuffer),
  addedAt: instant,
  complete: flag,
  announced: flag,
});

/** Whether the row of a kept file is what it should be. */
export function isKeptFile(row: unknown): row is KeptFileRow {
  return file(row);
}
