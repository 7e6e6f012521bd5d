import sharp from 'sharp';
import { avatarTexts } from '../../shared/api/user.ts';
import { AppError } from '../app-error.ts';
import { HEAD_BYTES, sniffType } from '../files/sniff.ts';
import { createLimiter } from '../limiter.ts';

/** Pixels on each side: shown at up to 256, for screens of double density. */
const SIDE = 512;

/**
 * The accepted formats, and how many bytes decoding takes for each pixel and channel of 8 bits.
 * Measured with the worst of each format, progressive and interlaced, for a small file can decode to
 * a huge image.
 */
const BYTES_PER_SAMPLE: Record<string, number> = {
  'image/jpeg': 1.1,
  'image/png': 1.3,
  'image/apng': 1.3,
  'image/webp': 1.3,
  'image/gif': 1.5,
  'image/avif': 6.5,
};

/** What decoding one image may take. */
const MEMORY_MAX_BYTES = 180_000_000;

/** One at a time, so that all of them together take no more than one. */
const limited = createLimiter(1, 20);

// Without a cache, which would hold people's pictures in memory and never be hit.
sharp.cache(false);
// One thread a picture: two pictures fill two cores, and memory grows with each thread.
sharp.concurrency(1);

/**
 * Decodes the picture, rotates it upright, crops it to a square and encodes it as WebP, so that no
 * metadata (such as the place) and no foreign bytes survive. @throws FILE_TYPE_NOT_ACCEPTED,
 * IMAGE_UNREADABLE (also when decoding would take too much memory), BUSY
 */
export async function reencodeAvatar(upload: Buffer): Promise<Buffer> {
  const bytesPerSample = BYTES_PER_SAMPLE[(await sniffType(upload.subarray(0, HEAD_BYTES))) ?? ''];
  if (!bytesPerSample) {
    throw new AppError('FILE_TYPE_NOT_ACCEPTED', { message: avatarTexts.notAnImage });
  }
  return limited(async () => {
    try {
      const memory = (await samplesOf(upload)) * bytesPerSample;
      if (memory > MEMORY_MAX_BYTES) throw tooManyPixels();
      return await sharp(upload, { failOn: 'error' })
        .autoOrient()
        .resize(SIDE, SIDE, { fit: 'cover' })
        .webp()
        .toBuffer();
    } catch (cause) {
      throw cause instanceof AppError ? cause : new AppError('IMAGE_UNREADABLE', { cause });
    }
  });
}

/** How many values of 8 bits the decoded image has. Reads only its head. */
async function samplesOf(upload: Buffer): Promise<number> {
  const { width, height, channels, depth } = await sharp(upload).metadata();
  return width * height * channels * (depth === 'uchar' ? 1 : 2);
}

function tooManyPixels(): AppError {
  const message = 'This image has too many pixels. Please choose a smaller one.';
  return new AppError('IMAGE_UNREADABLE', { message });
}
