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
import { recordingOf } from './recordings.ts';
import type { Attachment, LastTry, OrphanedUpload } from './tables.ts';

/*
 * Picked files, copied into this device's database in chunks of 4 MiB: a picked file is only a
 * reference that may change or vanish before it is sent.
 */

/** Held in shared mode by every page and worker that copies files; the cleanup of half copies needs it alone. */
export const COPYING_LOCK = 'time-capsule-copying';

export function newAttachment(id: string, file: File): Attachment {
  const { name, type, size: bytes, lastModified } = file;
  const state = { thumbnail: null, complete: false, announced: false };
  return { id, name, type, bytes, lastModified, ...state };
}

/**
 * Writes the row of a picked file before its bytes are copied, so that its name outlasts the page.
 * It takes the place of a lost file of the same name and size.
 * @throws {AttachmentError} where its draft was sealed or discarded meanwhile
 */
export async function addAttachment(rowId: string, row: Attachment): Promise<void> {
  const tables = [db.attachments, db.drafts, db.contributions, db.orphanedUploads, db.goneDrafts];
  await db.transaction('rw', tables, async () => {
    // Its draft may go on under another id while it is picked, or waits to be copied.
    if (!(await db.attachments.get(row.id))) {
      const { goesOnAs = rowId } = (await db.goneDrafts.get(rowId)) ?? {};
      const own = (await db.drafts.get(rowId)) ?? (await db.contributions.get(rowId));
      const draft = own ?? (await db.drafts.get(goesOnAs));
      if (!draft) throw new AttachmentError('unreadable');
      const lost = (await readFiles(draft)).filter(
        (one) => one.lost && one.name === row.name && one.bytes === row.bytes,
      );
      await noteOrphaned(lost);
      const files = draft.files.filter((id) => lost.every((one) => one.id !== id));
      for (const table of [db.drafts, db.contributions]) {
        await table.update(draft.id, { files: [...files, row.id] });
      }
    }
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
    // It may have been removed meanwhile.
    const isThere = await db.attachments.update(row.id, { complete: true });
    if (!isThere) throw new AttachmentError('unreadable');
  } catch (error) {
    if (signal?.aborted) await deleteAttachment(row.id).catch(() => undefined);
    else await loseAttachment(row.id).catch(() => undefined);
    if (error instanceof AttachmentError || signal?.aborted) throw error;
    const problem = isNoRoom(error) ? 'device-full' : 'device-failed';
    throw new AttachmentError(problem, { cause: error });
  }
}

/** What is named and has no row was removed. */
export async function readFiles({ files = [] }: { files?: string[] }): Promise<Attachment[]> {
  const rows = await db.attachments.bulkGet(files);
  return rows.filter((row) => row !== undefined);
}

/** The files of a draft, of the outbox item that it has become, or of a contribution, in display order. */
export async function readAttachments(id: string): Promise<Attachment[]> {
  const named = (await db.drafts.get(id)) ?? (await db.outbox.get(id));
  return readFiles(named ?? (await db.contributions.get(id)) ?? { files: [] });
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

/** Takes a file out of a draft or a contribution; the server may know of it. Its bytes are the sweep's. */
export async function removeAttachment(rowId: string, id: string): Promise<void> {
  const file = await db.attachments.get(id);
  const takeOut = (row: { files: string[]; account?: LastTry } & LastTry) => {
    row.files = row.files.filter((one) => one !== id);
    // It may have been refused for this file.
    delete row.refusal;
    delete row.account?.refusal;
  };
  try {
    await db.drafts.where({ id: rowId }).modify(takeOut);
    await db.contributions.where({ id: rowId }).modify(takeOut);
  } catch (error) {
    const isQueued = await db.outbox.filter(({ files }) => files.includes(id)).count();
    if (!isNoRoom(error) || isQueued) throw error;
    // A full device takes deletions alone.
    await deleteAttachment(id);
  }
  if (file && !(await readNamed()).has(id)) await noteOrphaned([file]);
  await sweepFiles();
}

/** Removes a file with its bytes. */
export async function deleteAttachment(id: string): Promise<void> {
  await db.transaction('rw', db.attachments, db.chunks, async () => {
    await chunksOf(id).delete();
    await db.attachments.delete(id);
  });
}

/** The ids of files that something on this device names, and of recordings that may still be added. */
async function readNamed(): Promise<Set<string>> {
  const naming = [db.drafts, db.outbox, db.contributions];
  const rows = (await Promise.all(naming.map((table) => table.toArray()))).flat();
  return new Set(rows.flatMap(({ id, files = [] }) => [...files, recordingOf(id)]));
}

/**
 * Removes what nothing names any more: files with their bytes, and recordings that were not added. Where there
 * is nothing to remove it only reads: what is typed would wait for it.
 */
export async function sweepFiles(): Promise<void> {
  const files = await db.attachments.toCollection().primaryKeys();
  const chunks = await db.chunks.toCollection().primaryKeys();
  const named = await readNamed();
  const tables = [db.drafts, db.outbox, db.contributions, db.attachments, db.chunks];
  for (const id of new Set([...files, ...chunks.map(([file]) => file)])) {
    if (named.has(id)) continue;
    await db.transaction('rw', tables, async () => {
      if (!(await readNamed()).has(id)) await deleteAttachment(id);
    });
  }
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
  await sweepFiles();
  for (const file of await db.attachments.toArray()) {
    if (isUnfinished(file) && !running.includes(file.id)) await loseAttachment(file.id);
  }
}

/** It is being copied, or its page was closed before that was done. */
export function isUnfinished({ complete, lost, isElsewhere }: Attachment): boolean {
  return !complete && !lost && !isElsewhere;
}

/** The server has all bytes of these files. */
export async function noteArrived(...ids: string[]): Promise<void> {
  await db.attachments
    .where('id')
    .anyOf(ids)
    .modify((file) => {
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

/*
 * Orphaned uploads: those that the server is still to be told to cancel. A file may be removed
 * without a connection, and what has arrived of it counts against the person's storage.
 */

/**
 * Notes those of these removed files that the server has heard of. What a full device can't note expires on
 * the server by itself.
 */
export async function noteOrphaned(files: readonly Attachment[]): Promise<void> {
  const rows = files.filter(({ announced }) => announced).map(({ id }) => ({ id }));
  if (rows.length === 0) return;
  await db.orphanedUploads.bulkPut(rows).catch((error) => {
    if (!isNoRoom(error)) throw error;
  });
}

/** Something may name a file again, here: then its upload is not cancelled, now or later. */
export async function readOrphaned(): Promise<OrphanedUpload[]> {
  const rows = await db.orphanedUploads.toArray();
  if (rows.length === 0) return rows;
  const named = await readNamed();
  await db.orphanedUploads.bulkDelete(rows.map(({ id }) => id).filter((id) => named.has(id)));
  return rows.filter(({ id }) => !named.has(id));
}

/** The server has cancelled the upload, or the file is sent after all. */
export async function forgetOrphaned(id: string): Promise<void> {
  await db.orphanedUploads.delete(id);
}
