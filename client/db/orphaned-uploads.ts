import { db } from './database.ts';
import { isNoRoom } from './no-room.ts';
import type { Attachment, OrphanedUpload } from './tables.ts';

/*
 * Uploads that the server is still to be told to cancel. A file may be removed without a connection,
 * and what has arrived of it counts against the person's storage.
 */

type RemovedFile = Pick<Attachment, 'id' | 'announced'>;

/** Notes those of these removed files that the server has heard of. */
export async function noteOrphaned(files: readonly RemovedFile[]): Promise<void> {
  const rows = files.filter(({ announced }) => announced).map(({ id }) => ({ id }));
  if (rows.length > 0) await db.orphanedUploads.bulkPut(rows);
}

/**
 * Removes something, also from a device that is too full to note its uploads: they expire on the
 * server by themselves.
 * @param remove a whole transaction, which notes the files it removes with `note`
 */
export async function removeEvenWhenFull<Done>(
  remove: (note: typeof noteOrphaned) => Promise<Done>,
): Promise<Done> {
  try {
    return await remove(noteOrphaned);
  } catch (error) {
    if (!isNoRoom(error)) throw error;
    return remove(async () => undefined);
  }
}

export function readOrphaned(): Promise<OrphanedUpload[]> {
  return db.orphanedUploads.toArray();
}

/** The server has been told, or the file is sent after all. */
export async function forgetOrphaned(id: string): Promise<void> {
  await db.orphanedUploads.delete(id);
}
