import { MEGABYTE } from '../../shared/limits.ts';

/** Twice the edge of the square in which it is shown, for sharp screens. */
const EDGE = 88;

/** Larger pictures take longer to decode than a glance at them is worth. */
const SOURCE_MAX_BYTES = 16 * MEGABYTE;

/** A small square picture of an image (WebP); null of anything else, and where the browser cannot. */
export async function makeThumbnail(file: File): Promise<ArrayBuffer | null> {
  if (!file.type.startsWith('image/') || file.size > SOURCE_MAX_BYTES) return null;
  try {
    const image = await createImageBitmap(file, { resizeWidth: EDGE * 2, resizeQuality: 'medium' });
    const canvas = new OffscreenCanvas(EDGE, EDGE);
    const scale = Math.max(EDGE / image.width, EDGE / image.height);
    const [width, height] = [image.width * scale, image.height * scale];
    const at = [(EDGE - width) / 2, (EDGE - height) / 2] as const;
    canvas.getContext('2d')?.drawImage(image, ...at, width, height);
    image.close();
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.7 });
    return await blob.arrayBuffer();
  } catch {
    return null;
  }
}
