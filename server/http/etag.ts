import { createHash } from 'node:crypto';

/** Weak: the same bytes, however they are compressed. */
export function etagOf(bytes: Uint8Array): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

/** If-None-Match compares weakly, and may list several tags. */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  const plain = (tag: string) => tag.trim().replace(/^W\//, '');
  const tags = header.split(',').map(plain);
  return tags.includes(plain(etag)) || tags.includes('*');
}
