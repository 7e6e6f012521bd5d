import sharp, { type Sharp } from 'sharp';
import { AppError } from '../../app-error.ts';
import { createFairLimiter } from '../../limiter.ts';

/**
 * The formats that are decoded, and how many bytes that takes for each pixel and channel of 8 bits.
 * Measured with the worst of each format, interlaced and with full colour, for a small file can
 * decode to a huge image.
 */
const BYTES_PER_SAMPLE: Record<string, number> = {
  'image/jpeg': 0.2,
  'image/png': 1.3,
  'image/apng': 1.3,
  'image/webp': 1.3,
  'image/gif': 1.5,
  'image/avif': 6.5,
};

/** A JPEG in several scans, as progressive ones are, is in memory as a whole; others go by in rows. */
const BYTES_PER_SAMPLE_OF_SCANS = 2.2;

/**
 * What decoding one image may take: an AVIF of 12 megapixels, as cameras make them, takes 234 MB.
 * The dearest images within take about a second of a processor.
 */
const MEMORY_MAX_BYTES = 240_000_000;
/** Most photographs take less: a JPEG of 64 megapixels 38 MB. */
const LIGHT_MAX_BYTES = 60_000_000;

/** A file to be read waits as long again, and with its decoding every answer comes within ten seconds. */
export const IMAGE_WAIT_MAX_MS = 4_000;
const ONE_AT_A_TIME = { atOnce: 1, waitingMax: 20, waitMaxMs: IMAGE_WAIT_MAX_MS };

/**
 * One light and one heavy image at a time, so that no light one waits for a heavy one, and all of
 * them together take no more than two.
 */
const light = createFairLimiter(ONE_AT_A_TIME);
const heavy = createFairLimiter(ONE_AT_A_TIME);

// Without a cache, which would hold people's pictures in memory and never be hit.
sharp.cache(false);
// One thread a picture: two pictures fill two cores, and memory grows with each thread.
sharp.concurrency(1);

/** @param type as `sniffType` found it */
export function isDecoded(type: string | null): type is string {
  return Object.hasOwn(BYTES_PER_SAMPLE, type ?? '');
}

interface Picture {
  bytes: Buffer;
  /** One that `isDecoded`. */
  type: string;
  /** Who wants it: those who have taken the least time come first. */
  personId: string;
}

/**
 * Decodes an image, rotates it upright, and lets `draw` resize and encode it, so that no metadata
 * (such as the place) and no foreign bytes survive. @throws IMAGE_UNREADABLE (also when decoding
 * would take too much memory), BUSY
 */
export async function reencode(
  { bytes, type, personId }: Picture,
  draw: (image: Sharp) => Sharp,
): Promise<Buffer> {
  try {
    const memory = await memoryOf(bytes, type);
    if (memory > MEMORY_MAX_BYTES) throw tooManyPixels();
    const turn = memory > LIGHT_MAX_BYTES ? heavy : light;
    // What is left of a picture that was cut off is shown, as browsers do.
    const image = () => draw(sharp(bytes, { failOn: 'none' }).autoOrient());
    return await turn(personId, () => image().toBuffer());
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('IMAGE_UNREADABLE', { cause });
  }
}

/** How many bytes decoding takes. Reads only the image's head. */
async function memoryOf(source: Buffer, type: string): Promise<number> {
  const { width, height, channels, depth, isProgressive } = await sharp(source).metadata();
  const samples = width * height * channels * (depth === 'uchar' ? 1 : 2);
  const inScans = type === 'image/jpeg' && isProgressive;
  const each = inScans ? BYTES_PER_SAMPLE_OF_SCANS : BYTES_PER_SAMPLE[type];
  return samples * (each ?? Number.POSITIVE_INFINITY);
}

function tooManyPixels(): AppError {
  const message = 'This image has too many pixels. Please choose a smaller one.';
  return new AppError('IMAGE_UNREADABLE', { message });
}
