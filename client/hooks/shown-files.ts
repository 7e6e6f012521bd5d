import type { CapsuleFile } from '../../shared/api/capsules.ts';
import { putShown, readShown } from '../db/shown-files.ts';

/** A file of an opened capsule. */
export type OpenedFile = CapsuleFile & { capsuleId: string };
type Named = Pick<OpenedFile, 'fileId' | 'capsuleId'>;

/** In pixels, as the larger rendition: sharp enough for any screen without a connection. */
const EDGE = 1_200;

/**
 * Saves a copy of an image that is on the screen, unless there is one as large. It is drawn anew
 * instead of fetched: no browser lets a page have the bytes of an image that it shows.
 */
export async function saveShownImage(file: Named, image: HTMLImageElement): Promise<void> {
  const { fileId, capsuleId } = file;
  const { naturalWidth, naturalHeight } = image;
  const scale = Math.min(1, EDGE / Math.max(naturalWidth, naturalHeight));
  const [width, height] = [Math.round(naturalWidth * scale), Math.round(naturalHeight * scale)];
  const saved = await readShown(fileId);
  if (saved && saved.width >= width) return;
  try {
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext('2d')?.drawImage(image, 0, 0, width, height);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
    const bytes = await blob.arrayBuffer();
    const { size, type } = blob;
    await putShown({ fileId, capsuleId, bytes, size, type, width, savedAt: Date.now() });
  } catch {
    // A full device, or a browser that cannot draw it: the image needs a connection again.
  }
}
