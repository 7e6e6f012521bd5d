import { db } from './database.ts';
import type { Attachment } from './tables.ts';

/* What the server has of files. */

/** The server has all bytes of a file. */
export async function noteArrived(fileId: string): Promise<void> {
  await db.attachments.where({ id: fileId }).modify((file) => {
    file.hasArrived = true;
    delete file.refused;
  });
}

/** The server has not taken it, for a reason that does not pass by itself: what names it goes on without it. */
export async function noteFileRefused(id: string, message: string): Promise<void> {
  await db.attachments.update(id, { refused: { message, at: Date.now() } });
}

/**
 * The next file whose bytes the server lacks: they are here, and the server knows its name.
 * @param known what the server knows
 * @param refusedBefore one that was refused later than this is not tried again yet
 */
export function nextToUpload(
  files: readonly Attachment[],
  known: readonly Pick<Attachment, 'id'>[] = [],
  refusedBefore = Infinity,
): Attachment | undefined {
  return files.find(
    ({ id, complete, hasArrived, refused }) =>
      complete &&
      !hasArrived &&
      (refused?.at ?? 0) <= refusedBefore &&
      known.some((one) => one.id === id),
  );
}
