import { chunksOf } from './chunks.ts';
import { db } from './database.ts';

/*
 * The pieces of a recording that is not an attachment yet, so that a page that is closed loses at
 * most the last second. One recording for each draft or contribution, in the table of chunks, under
 * an id that no attachment has.
 */

/** The id of its pieces. */
export const recordingOf = (rowId: string) => `recording ${rowId}`;

/** @param index the piece's place in the recording */
export async function putPiece(rowId: string, index: number, piece: Blob): Promise<void> {
  const bytes = await piece.arrayBuffer();
  await db.chunks.put({ attachmentId: recordingOf(rowId), index, bytes });
}

/** The drafts to which a recording may still be added. */
export async function readRecorded(): Promise<Set<string>> {
  const keys = await db.chunks.toCollection().primaryKeys();
  return new Set(keys.map(([id]) => id.split(recordingOf(''))[1]).filter((id) => id !== undefined));
}

/** In the order in which they were recorded. */
export async function readPieces(rowId: string): Promise<BlobPart[]> {
  const rows = await chunksOf(recordingOf(rowId)).toArray();
  return rows.map(({ bytes }) => bytes);
}

export async function deletePieces(rowId: string): Promise<void> {
  await chunksOf(recordingOf(rowId)).delete();
}
