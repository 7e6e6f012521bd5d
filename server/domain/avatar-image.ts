import sharp from 'sharp';
import { avatarTexts } from '../../shared/api/user.ts';
import { AppError } from '../app-error.ts';
import { HEAD_BYTES, sniffType } from '../files/sniff.ts';
import { createLimiter } from '../limiter.ts';

/** Pixels on each side: shown at up to 256, for screens of double density. */
const SIDE = 512;

/**
 * The accepted formats with their largest number of pixels. A small file can decode to a huge
 * image. These limits keep one decoding below about 200 MB, by measured bytes per pixel: JPEG 3,
 * PNG 4, GIF 5, AVIF 17.
 */
const PIXELS_MAX: Record<string, number> = {
  'image/jpeg': 50_000_000,
  'image/png': 40_000_000,
  'image/apng': 40_000_000,
  'image/webp': 40_000_000,
  'image/gif': 25_000_000,
  'image/avif': 12_500_000,
};

const limited = createLimiter(2, 20);

// Without a cache, which would hold people's pictures in memory and never be hit.
sharp.cache(false);
// One thread a picture: two pictures fill two cores, and memory grows with each thread.
sharp.concurrency(1);

/**
 * Decodes the picture, rotates it upright, crops it to a square and encodes it again, so that no
 * metadata (such as the place) and no foreign bytes survive. @throws FILE_TYPE_NOT_ACCEPTED,
 * IMAGE_UNREADABLE (also for too many pixels), BUSY
 */
export async function reencodeAvatar(
  upload: Buffer,
): Promise<{ bytes: Buffer; type: 'image/webp' }> {
  const pixelsMax = PIXELS_MAX[(await sniffType(upload.subarray(0, HEAD_BYTES))) ?? ''];
  if (!pixelsMax) {
    throw new AppError('FILE_TYPE_NOT_ACCEPTED', { message: avatarTexts.notAnImage });
  }
  return limited(async () => {
    try {
      const bytes = await sharp(upload, { limitInputPixels: pixelsMax, failOn: 'error' })
        .autoOrient()
        .resize(SIDE, SIDE, { fit: 'cover' })
        .webp()
        .toBuffer();
      return { bytes, type: 'image/webp' };
    } catch (cause) {
      throw new AppError('IMAGE_UNREADABLE', { cause });
    }
  });
}
