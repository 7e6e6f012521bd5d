import type { RenditionSize } from '../../../shared/api/capsules.ts';
import { hasRendition, toMegabytes } from '../../../shared/file-types.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import type { FileRow } from '../../db/capsules/capsules.ts';
import { createFairLimiter } from '../../limiter.ts';
import { IMAGE_WAIT_MAX_MS, reencode } from '../storage/decode-image.ts';

/**
 * The longer side in pixels: three in a row on a phone of triple density, and the whole width of an
 * opened capsule.
 */
const SIDES: Record<RenditionSize, number> = { small: 480, large: 1_200 };

/** The next file is read while a light and a heavy one are decoded. No more are in memory. */
const reading = createFairLimiter({ atOnce: 3, waitingMax: 20, waitMaxMs: IMAGE_WAIT_MAX_MS });

/**
 * A small copy of a photograph, as WebP. Nothing of it is stored. @param read all bytes of the file;
 * called once there is memory for them @throws what `read` throws; FILE_TYPE_NOT_ACCEPTED,
 * IMAGE_UNREADABLE (also when decoding would take too much memory), BUSY
 */
export async function makeRendition(
  actor: Actor,
  file: Pick<FileRow, 'type' | 'bytes'>,
  size: RenditionSize,
  read: () => Promise<Buffer>,
): Promise<Buffer> {
  if (!hasRendition({ fileType: file.type, fileSize: toMegabytes(file.bytes) })) {
    const message = 'There is no smaller copy of this file.';
    throw new AppError('FILE_TYPE_NOT_ACCEPTED', { message });
  }
  const side = SIDES[size];
  const { userId: personId } = actor;
  return reading(personId, async () =>
    reencode({ bytes: await read(), type: file.type, personId }, (image) =>
      image
        .resize(side, side, { fit: 'inside', withoutEnlargement: true })
        // A third less time than its default, and a tenth more bytes.
        .webp({ effort: 2 }),
    ),
  );
}
