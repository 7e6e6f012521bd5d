import type { FileRow } from '../db/capsules.ts';

/**
 * A unique path that every system can unpack, ending with the name of the file. What the file is
 * opened with goes by the last letters of its name, so they are those of an image, a video or a PDF:
 * a picture that is a web page as well, named `picture.html`, would run in the reader's browser.
 */
export function archivePath({ capsuleId, position, name, type }: Kept): string {
  const safe = name
    .normalize('NFC')
    .replace(/[\p{C}<>:"/\\|?*]/gu, '_')
    .replace(/^\.+|[. ]+$/g, '_');
  const ending = HARMLESS.test(safe) ? safe : `${safe}.${ENDINGS[type] ?? 'bin'}`;
  return `files/${capsuleId}/${String(position + 1).padStart(2, '0')} ${lastBytes(ending, NAME_MAX_BYTES)}`;
}

type Kept = Pick<FileRow, 'capsuleId' | 'position' | 'name' | 'type'>;

/** Programs show these, and run none of them. A browser runs the scripts of an SVG that it opens. */
const HARMLESS =
  /\.(jpe?g|jfif|jpx|jp2|jxl|jxr|a?png|gif|webp|avif|hei[cf]s?|bmp|ico|tiff?|psd|svg|cr[23]|dng|nef|arw|orf|raf|rw2|pef|mp4|m4v|mov|qt|webm|mk[v3]d?|avi|wmv|asf|flv|f4v|mpe?g|3gp|3g2|og[vm]|mts|m2ts|pdf)$/i;

const ENDINGS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'image/svg+xml': 'svg',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'application/pdf': 'pdf',
};

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
