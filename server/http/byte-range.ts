import type { ByteRange } from '../files/file-store.ts';

/**
 * What a Range header asks of a file of `bytes` bytes: a part, null for the whole file
 * (no header, several ranges, or nothing that can be understood: RFC 9110 lets a server
 * ignore those), or `unsatisfiable` when the part lies outside the file.
 */
export function parseRange(
  header: string | undefined,
  bytes: number,
): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i.exec(header ?? '');
  if (!match) return null;
  const [, first, last, suffix] = match;
  if (suffix !== undefined) {
    const length = Number(suffix);
    if (length === 0 || bytes === 0) return 'unsatisfiable';
    return { start: Math.max(0, bytes - length), end: bytes - 1 };
  }
  const start = Number(first);
  const end = last ? Number(last) : bytes - 1;
  if (last && end < start) return null;
  if (start >= bytes) return 'unsatisfiable';
  return { start, end: Math.min(end, bytes - 1) };
}
