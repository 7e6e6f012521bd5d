import { fileTypeFromBuffer } from 'file-type';
import { isAcceptedType } from '../../shared/file-types.ts';
import { AppError } from '../app-error.ts';

/** The first bytes needed to recognise any signature. */
export const HEAD_BYTES = 4_100;

const NAME_SHOWN_MAX = 100;

/**
 * The MIME type of a file, judged by its first `HEAD_BYTES`, never by its name.
 * Null when the content is not recognised.
 */
export async function sniffType(head: Buffer): Promise<string | null> {
  const found = await fileTypeFromBuffer(head);
  if (found && found.mime !== 'application/xml') return found.mime;
  const text = head
    .toString('latin1')
    .replace(/^\xEF\xBB\xBF/, '')
    .trimStart();
  if (isSvg(text)) return 'image/svg+xml';
  if (text.startsWith('%PDF-')) return 'application/pdf';
  // A TIFF's directory is often at its end, where the library looks for more and finds nothing.
  if (/^(II\*\0|MM\0\*)/.test(text)) return 'image/tiff';
  return found?.mime ?? null;
}

/**
 * The type of a file that a capsule accepts. @throws FILE_TYPE_NOT_ACCEPTED, with the name of the
 * file in the text
 */
export async function acceptedType(head: Buffer, name: string): Promise<string> {
  const type = await sniffType(head);
  if (type && isAcceptedType(type)) return type;
  throw new AppError('FILE_TYPE_NOT_ACCEPTED', {
    message: `"${name.slice(0, NAME_SHOWN_MAX)}" is not an image, a video or a PDF.`,
  });
}

const SVG_PROLOGUE =
  /^(<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE\s+svg\b[^>[]*(\[[^\]]*\])?[^>]*>)\s*/i;

/** The root element is `svg`, after nothing but a declaration, comments and a doctype. */
function isSvg(text: string): boolean {
  let rest = text;
  for (;;) {
    const skipped = SVG_PROLOGUE.exec(rest);
    if (!skipped) return /^<(\w+:)?svg[\s/>]/.test(rest);
    rest = rest.slice(skipped[0].length);
  }
}
