import { avatarTexts } from '../../../shared/api/user.ts';
import { AppError } from '../../app-error.ts';
import { HEAD_BYTES, sniffType } from '../../files/sniff.ts';
import { isDecoded, reencode } from '../storage/decode-image.ts';

/** Pixels on each side: shown at up to 256, for screens of double density. */
const SIDE = 512;

/**
 * The picture upright, cropped to a square, as WebP. @throws FILE_TYPE_NOT_ACCEPTED,
 * IMAGE_UNREADABLE (also when decoding would take too much memory), BUSY
 */
export async function reencodeAvatar(bytes: Buffer, personId: string): Promise<Buffer> {
  const type = await sniffType(bytes.subarray(0, HEAD_BYTES));
  if (!isDecoded(type)) {
    const [, format] = /^image\/(hei[cf]|tiff|bmp|svg|jxl)\b/.exec(type ?? '') ?? [];
    const message = format ? unreadable(format.toUpperCase()) : avatarTexts.notAnImage;
    throw new AppError('FILE_TYPE_NOT_ACCEPTED', { message });
  }
  try {
    return await reencode({ bytes, type, personId }, (image) =>
      image.resize(SIDE, SIDE, { fit: 'cover' }).webp(),
    );
  } catch (error) {
    const isMoving = bytes.toString('latin1', 4, 12) === 'ftypavis';
    if (!isMoving || !(error instanceof AppError) || error.code !== 'IMAGE_UNREADABLE') throw error;
    throw new AppError('FILE_TYPE_NOT_ACCEPTED', { message: unreadable('moving AVIF') });
  }
}

const unreadable = (format: string) =>
  `We can't read ${format} pictures here. Please choose a JPEG or PNG.`;
