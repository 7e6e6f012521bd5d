import { UPLOAD_CHUNK_BYTES } from '../../shared/limits.ts';
import {
  AttachmentError,
  chunkCount,
  chunksOf,
  countStoredChunks,
  putChunk,
  readBytes,
  readFileChunk,
} from './chunks.ts';
import { db, isNoRoom } from './database.ts';
import { deletePieces } from './recordings.ts';
import type { Attachment, OrphanedUpload } from './tables.ts';

/*
 * Picked files, copied into this device's database in chunks of 4 MiB: a picked file is only a
 * reference that may change or vanish before it is sent.
 */

/** Held in shared mode by every page and worker that copies files; the cleanup of half copies needs it alone. */
export const COPYING_LOCK = 'time-capsule-copying';

export function newAttachment(
  capsuleId: string,
  file: File,
  place: { id: string; addedAt: number },
): Attachment {
  const { name, type, size: bytes, lastModified } = file;
  const state = { thumbnail: null, complete: false, announced: false };
  return { ...place, capsuleId, name, type, bytes, lastModified, ...state };
}

/**
 * Writes the row of a picked file before its bytes are copied, so that its name outlasts the page.
 * It takes the place of a lost file of the same name and size.
 */
export async function addAttachment(row: Attachment): Promise<void> {
  await db.transaction('rw', db.attachments, db.drafts, db.orphanedUploads, async () => {
    const lost = (await readAttachments(row.capsuleId)).filter(
      (one) => one.lost && one.name === row.name && one.bytes === row.bytes,
    );
    await noteOrphaned(lost);
    await db.attachments.bulkDelete(lost.map(({ id }) => id));
    await putForDraft(row);
  });
}

/** A draft that was sealed or discarded meanwhile takes no more files. */
async function putForDraft(row: Attachment): Promise<void> {
  await db.transaction('rw', db.attachments, db.drafts, async () => {
    if (!(await db.drafts.get(row.capsuleId))) throw new AttachmentError('unreadable');
    await db.attachments.put(row);
  });
}

interface CopyOptions {
  onProgress?: (bytes: number) => void;
  signal?: AbortSignal;
}

/**
 * Copies the bytes of an added file, one chunk after another.
 * @throws {AttachmentError} when it does not fit or cannot be read: then only its name is kept
 */
export async function copyAttachment(
  row: Attachment,
  file: File,
  { onProgress, signal }: CopyOptions = {},
): Promise<void> {
  try {
    const count = chunkCount(file.size);
    for (let index = 0; index < count; index += 1) {
      const chunk = await readFileChunk(row.id, file, index);
      signal?.throwIfAborted();
      await putChunk(chunk);
      onProgress?.(Math.min(file.size, (index + 1) * UPLOAD_CHUNK_BYTES));
    }
    // Chromium refuses to read a file that was changed since it was picked.
    await readBytes(file, 0, 1);
    if ((await countStoredChunks(row.id)) !== count) throw new AttachmentError('unreadable');
    // Its draft may go on under another id meanwhile.
    const now = (await db.attachments.get(row.id)) ?? row;
    await putForDraft({ ...now, complete: true });
  } catch (error) {
    if (signal?.aborted) await deleteAttachment(row.id).catch(() => undefined);
    else await loseAttachment(row.id).catch(() => undefined);
    if (error instanceof AttachmentError || signal?.aborted) throw error;
    const problem = isNoRoom(error) ? 'device-full' : 'device-failed';
    throw new AttachmentError(problem, { cause: error });
  }
}

/** In the order in which they were picked. */
export async function readAttachments(capsuleId: string): Promise<Attachment[]> {
  return db.attachments.where({ capsuleId }).sortBy('addedAt');
}

/** Those of which this device does not have every chunk, unless the account has all of a file of another one. */
export async function findIncomplete(files: readonly Attachment[]): Promise<Attachment[]> {
  const incomplete: Attachment[] = [];
  for (const file of files) {
    if (file.isElsewhere && file.hasArrived) continue;
    const isWhole = file.complete && (await countStoredChunks(file.id)) === chunkCount(file.bytes);
    if (!isWhole) incomplete.push(file);
  }
  return incomplete;
}

/** Notes that the server is about to hear of this file as a resumable upload. */
export async function markAnnounced(id: string): Promise<void> {
  await db.transaction('rw', db.attachments, db.orphanedUploads, async () => {
    await db.attachments.update(id, { announced: true });
    await forgetOrphaned(id);
  });
}

/** The server may have let go of these: what is on this device is sent again. */
export async function forgetArrived(files: readonly Attachment[]): Promise<void> {
  const ids = files.filter(({ isElsewhere }) => !isElsewhere).map(({ id }) => id);
  await db.attachments
    .where('id')
    .anyOf(ids)
    .modify((file) => {
      delete file.hasArrived;
    });
}

/** Takes a file out of its draft, unless another tab has sealed it; the server may know of it. */
export async function removeAttachment(id: string): Promise<void> {
  const tables = [db.attachments, db.chunks, db.outbox, db.orphanedUploads];
  await removeEvenWhenFull((note) =>
    db.transaction('rw', tables, async () => {
      const file = await db.attachments.get(id);
      if (!file || (await db.outbox.get(file.capsuleId))) return;
      await note([file]);
      await deleteAttachment(id);
    }),
  );
}

/** Removes a file with its bytes. */
export async function deleteAttachment(id: string): Promise<void> {
  await db.transaction('rw', db.attachments, db.chunks, async () => {
    await chunksOf(id).delete();
    await db.attachments.delete(id);
  });
}

/** Also an unfinished recording. */
export async function deleteAttachmentsOf(capsuleId: string): Promise<void> {
  await deletePieces(capsuleId);
  for (const { id } of await readAttachments(capsuleId)) await deleteAttachment(id);
}

/**
 * Deletes a file's bytes. Its name stays until the person has added the file again or removed it, unless
 * the account has the bytes.
 */
export async function loseAttachment(id: string): Promise<void> {
  await chunksOf(id).delete();
  await db.attachments.where({ id }).modify((file) => {
    if (file.complete && file.hasArrived) {
      file.isElsewhere = true;
    } else {
      file.lost = true;
      delete file.isElsewhere;
      delete file.hasArrived;
    }
    file.complete = false;
  });
}

/**
 * Cleans up after pages that were closed while they copied. Only while no other page copies: a copy
 * under way looks the same.
 * @param running the attachments that this page is copying
 */
export async function loseUnfinished(running: readonly string[] = []): Promise<void> {
  for (const { id, capsuleId, complete, lost, isElsewhere } of await db.attachments.toArray()) {
    if (running.includes(id)) continue;
    const isNamed = (await db.drafts.get(capsuleId)) ?? (await db.outbox.get(capsuleId));
    if (!isNamed) await deleteAttachment(id);
    else if (!complete && !lost && !isElsewhere) await loseAttachment(id);
  }
}

/*
 * Orphaned uploads: those that the server is still to be told to cancel. A file may be removed
 * without a connection, and what has arrived of it counts against the person's storage.
 */

type RemovedFile = Pick<Attachment, 'id' | 'announced'>;

/** Notes those of these removed files that the server has heard of. */
export async function noteOrphaned(files: readonly RemovedFile[]): Promise<void> {
  const rows = files.filter(({ announced }) => announced).map(({ id }) => ({ id }));
  if (rows.length > 0) await db.orphanedUploads.bulkPut(rows);
}

/**
 * Removes rows even when the device is too full to note their uploads, which then expire on the
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

/** The server has cancelled the upload, or the file is sent after all. */
export async function forgetOrphaned(id: string): Promise<void> {
  await db.orphanedUploads.delete(id);
}
