import { UPLOAD_CHUNK_BYTES, UPLOAD_PART_MAX_BYTES } from '../../shared/limits.ts';

/** Longer parts are late to be told about, and to step aside; shorter ones cost both ends more than their bytes. */
const PART_MS = 3_000;

/** A line is not trusted with much more than it has just carried. */
const GROWTH = 4;

/** A chunk that takes longer goes in pieces: all that is under way is lost when a line is cut. */
const CHUNK_MS = 20_000;

/** The smallest piece of a chunk, for a line that may be cut at any time. A chunk has a whole number of them. */
export const PIECE_BYTES = 262_144;

/**
 * How large the next part of an upload is, after one of `bytes` that took `milliseconds`: whole
 * chunks, or on a slow line whole pieces of one.
 */
export function nextPartBytes(bytes: number, milliseconds: number): number {
  const grown = bytes * GROWTH;
  const carried = bytes / milliseconds;
  const most = Math.min(grown, carried * PART_MS, UPLOAD_PART_MAX_BYTES);
  if (most >= UPLOAD_CHUNK_BYTES) return wholes(most, UPLOAD_CHUNK_BYTES);
  return wholes(Math.min(grown, carried * CHUNK_MS, UPLOAD_CHUNK_BYTES), PIECE_BYTES);
}

/** As many as fit, at least one. */
function wholes(bytes: number, one: number): number {
  return Math.max(Math.floor(bytes / one), 1) * one;
}
