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
    const message = format
      ? `We can't read ${format.toUpperCase()} pictures here. Please choose a JPEG or PNG.`
      : avatarTexts.notAnImage;
    throw new AppError('FILE_TYPE_NOT_ACCEPTED', { message });
  }
  return reencode({ bytes, type, personId }, (image) =>
    image.resize(SIDE, SIDE, { fit: 'cover' }).webp(),
  );
}
