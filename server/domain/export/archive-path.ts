import type { CapsuleRow, FileRow } from '../../db/capsules/capsules.ts';
import { harmlessName } from '../../files/harmless-name.ts';

/**
 * The folder of a capsule that people know again: its number in the page, which makes it unique and
 * keeps the order, the day it opened, and its title.
 */
export function capsuleFolder(number: number, { dateToUnlock, title }: Titled): string {
  return `files/${String(number).padStart(3, '0')} ${dateToUnlock} ${known(title)}`;
}

/** The folder of a draft, which may have no title yet. */
export function draftFolder(number: number, title: string): string {
  return `files/draft ${`${String(number).padStart(3, '0')} ${known(title)}`.trim()}`;
}

const known = (title: string) => firstBytes(safe(title), TITLE_MAX_BYTES).replace(/[. ]+$/, '');

type Titled = Pick<CapsuleRow, 'dateToUnlock' | 'title'>;

/** A unique path that every system can unpack, ending with the name of the file, made harmless. */
export function archivePath(folder: string, { position, name, type }: Kept): string {
  const ending = lastBytes(harmlessName(safe(name), type), NAME_MAX_BYTES);
  return `${folder}/${String(position + 1).padStart(2, '0')} ${ending}`;
}

type Kept = Pick<FileRow, 'position' | 'name' | 'type'>;

/** Without characters that a system allows in no name. */
function safe(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\p{C}<>:"/\\|?*]/gu, '_')
    .replace(/^\.+|[. ]+$/g, '_');
}

/** Windows' own unpacker takes paths of 260 characters, from the disk's letter on. */
const TITLE_MAX_BYTES = 60;

/** The beginning of a text in whole characters, at most this many bytes of UTF-8. */
function firstBytes(text: string, most: number): string {
  let bytes = 0;
  return [...text]
    .filter((character) => {
      bytes += Buffer.byteLength(character);
      return bytes <= most;
    })
    .join('');
}

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
