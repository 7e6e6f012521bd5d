import sharp, { type Sharp } from 'sharp';

/** Three bytes a pixel: red, green, blue. */
export interface Picture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

const CHANNELS = 3;

/** Of a PNG or a WebP. @throws when it is neither */
export async function readPicture(file: Buffer | string): Promise<Picture> {
  return raw(sharp(file));
}

/** Levels of a channel that count as one: a third of the bytes, and nothing that an eye could see. */
const STEP = 4;

/**
 * Half as wide and half as high, each pixel the mean of four, in coarser steps of colour: small
 * enough to be kept, and most of what differs between two rasterisers is gone.
 * @param screenshot a PNG
 */
export async function halved(screenshot: Buffer): Promise<Picture> {
  const { width, height, pixels } = await readPicture(screenshot);
  const half = { width: Math.floor(width / 2), height: Math.floor(height / 2) };
  const mean = new Uint8Array(half.width * half.height * CHANNELS);
  const row = width * CHANNELS;
  for (let y = 0; y < half.height; y += 1) {
    for (let x = 0; x < half.width; x += 1) {
      for (let channel = 0; channel < CHANNELS; channel += 1) {
        const at = 2 * y * row + 2 * x * CHANNELS + channel;
        const sum =
          byte(pixels, at) +
          byte(pixels, at + CHANNELS) +
          byte(pixels, at + row) +
          byte(pixels, at + row + CHANNELS);
        mean[(y * half.width + x) * CHANNELS + channel] = Math.min(
          255,
          Math.round(sum / 4 / STEP) * STEP,
        );
      }
    }
  }
  return { ...half, pixels: mean };
}

/** As a WebP without loss: what is kept is exactly what is compared. */
export function packed({ width, height, pixels }: Picture): Promise<Buffer> {
  return sharp(pixels, { raw: { width, height, channels: CHANNELS } })
    .webp({ lossless: true, effort: 6 })
    .toBuffer();
}

async function raw(image: Sharp): Promise<Picture> {
  const { data, info } = await image
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: new Uint8Array(data) };
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
