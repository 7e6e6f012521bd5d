import { MEGABYTE } from '../../shared/limits.ts';
import { db } from './database.ts';
import type { ShownFileRow } from './tables.ts';

/*
 * Smaller copies of the photographs of opened capsules that this device has shown, to be shown again
 * while the server can't be reached.
 */

/** All of them together. */
const SHOWN_MAX_BYTES = 32 * MEGABYTE;

/** Saves the copy of a file in place of an earlier one; the oldest ones make room. */
export async function putShown(row: ShownFileRow): Promise<void> {
  await db.transaction('rw', db.shownFiles, async () => {
    await db.shownFiles.put(row);
    let total = 0;
    const newestFirst = db.shownFiles.orderBy('[savedAt+size]').reverse();
    const keys = await newestFirst.keys();
    const tooOld = keys.find((key) => {
      total += Number(Object(key)[1]);
      return total > SHOWN_MAX_BYTES;
    });
    if (tooOld) await db.shownFiles.where('[savedAt+size]').belowOrEqual(tooOld).delete();
  });
}

/** Undefined where nothing of the file is saved, and where this device cannot be read. */
export async function readShown(fileId: string): Promise<ShownFileRow | undefined> {
  return db.shownFiles.get(fileId).catch(() => undefined);
}

/** Deletes what belongs to these capsules, which were deleted themselves. */
export async function deleteShown(capsuleIds: readonly string[]): Promise<void> {
  await db.shownFiles.where('capsuleId').anyOf(capsuleIds).delete();
}
