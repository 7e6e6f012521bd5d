import { type AbandonedRow, db, type KeptFileRow } from './db.ts';

/*
 * Uploads that the server is still to be told to give up. Whoever takes a file out may have no
 * connection at that moment, and what has arrived of it counts against their storage.
 */

/** Notes those of these files of which the server has heard. */
export async function noteAbandoned(files: readonly KeptFileRow[]): Promise<void> {
  const rows = files.filter(({ announced }) => announced).map(({ owner, id }) => ({ owner, id }));
  if (rows.length > 0) await db.abandoned.bulkPut(rows);
}

export async function readAbandoned(owner: string): Promise<AbandonedRow[]> {
  return db.abandoned.where({ owner }).toArray();
}

/** When the server has been told, or the file is sent after all. */
export async function forgetAbandoned({ owner, id }: AbandonedRow): Promise<void> {
  await db.abandoned.delete([owner, id]);
}
