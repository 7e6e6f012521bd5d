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

/** What all files of one capsule are saved as. */
export const archiveName = (title: string): string => known(title) || 'Time capsule';

const known = (title: string) => firstBytes(safe(title), TITLE_MAX_BYTES).replace(/[. ]+$/, '');

type Titled = Pick<CapsuleRow, 'dateToUnlock' | 'title'>;

/** A unique path that every system can unpack, ending with the name of the file, made harmless. */
export function archivePath(folder: string, { position, name, type }: Kept): string {
  const ending = lastUnits(harmlessName(safe(name), type), NAME_MAX);
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

/**
 * Windows takes paths of 260 characters, from the disk's letter on. With its folder, a path has at
 * most 180 of them. In UTF-8, the name is within the 255 bytes of other systems.
 */
const NAME_MAX = 80;

/** The end of a text in whole characters, at most so many UTF-16 units, by which Windows counts. */
function lastUnits(text: string, most: number): string {
  const start = Math.max(0, text.length - most);
  // Not from within a character: skip its second half.
  return /^[\udc00-\udfff]/.test(text.slice(start)) ? text.slice(start + 1) : text.slice(start);
}
