import { fileTypeFromBuffer } from 'file-type';
import { isAcceptedType } from '../../shared/file-types.ts';
import { AppError } from '../app-error.ts';
import { isPdf, lateSignature } from './late-signatures.ts';

/** The first bytes needed to recognise any signature: comments may stand before a drawing. */
export const HEAD_BYTES = 65_536;

/** What the library needs. It does more with more, and nothing that is needed. */
const LIBRARY_BYTES = 4_100;

/** Videos that are registered as something else. */
const VIDEOS: Record<string, string> = {
  'application/mxf': 'video/mxf',
  'application/vnd.rn-realmedia': 'video/vnd.rn-realvideo',
};

const NAME_SHOWN_MAX = 100;

/**
 * The MIME type of a file, judged by its first `HEAD_BYTES`, never by its name.
 * Null when the content is not recognised.
 */
export async function sniffType(head: Buffer): Promise<string | null> {
  const found = (await fileTypeFromBuffer(head.subarray(0, LIBRARY_BYTES)))?.mime ?? null;
  if (found && isAcceptedType(found)) return found;
  const late = VIDEOS[found ?? ''] ?? lateSignature(head);
  return late ?? (isPdf(head) ? 'application/pdf' : found);
}

/**
 * The type of a file that a capsule accepts. @throws FILE_TYPE_NOT_ACCEPTED, with the name of the
 * file in the text
 */
export async function acceptedType(head: Buffer, name: string): Promise<string> {
  const type = await sniffType(head);
  if (type && isAcceptedType(type)) return type;
  const shown = name.slice(0, NAME_SHOWN_MAX);
  // For instance an SVG as .svgz, which looks like a picture on the device.
  const isPacked = type === 'application/gzip' || type === 'application/zip';
  throw new AppError('FILE_TYPE_NOT_ACCEPTED', {
    message: isPacked
      ? `"${shown}" is compressed. Please unpack it first.`
      : `"${shown}" is not an image, a video or a PDF.`,
  });
}
