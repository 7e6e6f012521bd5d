import type { FileRow } from '../db/capsules.ts';
import { harmlessName } from '../files/harmless-name.ts';

/** A unique path that every system can unpack, ending with the name of the file, made harmless. */
export function archivePath({ capsuleId, position, name, type }: Kept): string {
  const safe = name
    .normalize('NFC')
    .replace(/[\p{C}<>:"/\\|?*]/gu, '_')
    .replace(/^\.+|[. ]+$/g, '_');
  const ending = lastBytes(harmlessName(safe, type), NAME_MAX_BYTES);
  return `files/${capsuleId}/${String(position + 1).padStart(2, '0')} ${ending}`;
}

type Kept = Pick<FileRow, 'capsuleId' | 'position' | 'name' | 'type'>;

/** Most file systems allow names of 255 bytes, and the number in front needs some of them. */
const NAME_MAX_BYTES = 240;

/** The end of a text in whole characters, at most this many bytes of UTF-8. */
function lastBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - most);
  // Skip continuation bytes of UTF-8, which start with the bits 10.
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.toString('utf8', start);
}
