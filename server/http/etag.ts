/** If-None-Match compares weakly, and may list several tags. */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  const plain = (tag: string) => tag.trim().replace(/^W\//, '');
  const tags = header.split(',').map(plain);
  return tags.includes(plain(etag)) || tags.includes('*');
}
