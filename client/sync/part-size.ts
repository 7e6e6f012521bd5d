import { UPLOAD_CHUNK_BYTES, UPLOAD_PART_MAX_BYTES } from '../../shared/limits.ts';

/** Longer parts are late to be told about, and to step aside; shorter ones cost both ends more than their bytes. */
const PART_MS = 3_000;

/** A line is not trusted with much more than it has just carried. */
const GROWTH = 4;

/** How large the next part of an upload is, after one of `bytes` that took `milliseconds`: whole chunks. */
export function nextPartBytes(bytes: number, milliseconds: number): number {
  const most = Math.min(bytes * GROWTH, (bytes * PART_MS) / milliseconds, UPLOAD_PART_MAX_BYTES);
  return Math.max(Math.floor(most / UPLOAD_CHUNK_BYTES), 1) * UPLOAD_CHUNK_BYTES;
}
