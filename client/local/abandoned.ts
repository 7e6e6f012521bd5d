import { type AbandonedRow, db, type KeptFileRow } from './db.ts';
import { isNoRoom } from './no-room.ts';

/*
 * Uploads that the server is still to be told to give up. Whoever takes a file out may have no
 * connection at that moment, and what has arrived of it counts against their storage.
 */

/** Notes those of these files of which the server has heard. */
export async function noteAbandoned(files: readonly KeptFileRow[]): Promise<void> {
  const rows = files.filter(({ announced }) => announced).map(({ owner, id }) => ({ owner, id }));
  if (rows.length > 0) await db.abandoned.bulkPut(rows);
}

/**
 * Removes something of which the server may have heard. Where a device is too full even to note
 * that, it goes all the same: the uploads expire by themselves.
 * @param remove a whole transaction, which notes with `note` what it removes
 */
export async function removal<Done>(
  remove: (note: typeof noteAbandoned) => Promise<Done>,
): Promise<Done> {
  try {
    return await remove(noteAbandoned);
  } catch (error) {
    if (!isNoRoom(error)) throw error;
    return remove(async () => undefined);
  }
}

export async function readAbandoned(owner: string): Promise<AbandonedRow[]> {
  return db.abandoned.where({ owner }).toArray();
}

/** When the server has been told, or the file is sent after all. */
export async function forgetAbandoned({ owner, id }: AbandonedRow): Promise<void> {
  await db.abandoned.delete([owner, id]);
}
