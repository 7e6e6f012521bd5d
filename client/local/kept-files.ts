import { UPLOAD_CHUNK_BYTES } from '../../shared/limits.ts';
import { removal } from './abandoned.ts';
import { chunkTables, countChunks, removeChunks } from './chunks.ts';
import { db, type KeptFileRow } from './db.ts';
import { isKeptFile } from './file-row.ts';

export function chunkCount(bytes: number): number {
  return Math.ceil(bytes / UPLOAD_CHUNK_BYTES);
}

/**
 * The files of a draft or a queued capsule, in the order in which they were picked; those
 * whose rows are damaged are left out.
 */
export async function readFiles(owner: string, capsuleId: string): Promise<KeptFileRow[]> {
  const rows = await db.files.where('[owner+capsuleId]').equals([owner, capsuleId]).toArray();
  return rows.filter(isKeptFile).sort((a, b) => a.addedAt - b.addedAt || (a.id < b.id ? -1 : 1));
}

export async function removeFile(owner: string, id: string): Promise<void> {
  await db.transaction('rw', [db.files, ...chunkTables()], async () => {
    await removeChunks({ owner, id });
    await db.files.delete([owner, id]);
  });
}

/**
 * Takes a file out of its draft; what another tab has sealed meanwhile keeps it.
 * The server may have heard of it before.
 */
export async function takeFileOut(owner: string, id: string): Promise<void> {
  const tables = [db.files, db.outbox, db.abandoned, ...chunkTables()];
  await removal((note) =>
    db.transaction('rw', tables, async () => {
      const file = await db.files.get([owner, id]);
      if (file && (await db.outbox.get([owner, file.capsuleId]))) return;
      if (file) await note([file]);
      await removeFile(owner, id);
    }),
  );
}

export async function removeFilesOf(owner: string, capsuleId: string): Promise<void> {
  await db.transaction('rw', [db.files, ...chunkTables()], async () => {
    const rows = db.files.where('[owner+capsuleId]').equals([owner, capsuleId]);
    // By their keys: damaged rows go too.
    const keys = (await rows.primaryKeys()) as [string, string][];
    for (const [, id] of keys) await removeChunks({ owner, id });
    await db.files.bulkDelete(keys);
  });
}

/** Every file this device keeps for a person, whatever it belongs to. */
export async function readAllFiles(owner: string): Promise<KeptFileRow[]> {
  return (await db.files.where({ owner }).toArray()).filter(isKeptFile);
}

/** Damaged rows of files of a draft: their owner must hear of them before they can seal it. */
export async function readBrokenFiles(
  owner: string,
  capsuleId: string,
): Promise<Pick<KeptFileRow, 'owner' | 'id'>[]> {
  const rows = await db.files.where('[owner+capsuleId]').equals([owner, capsuleId]).toArray();
  return rows.filter((row) => !isKeptFile(row)).map(({ id }) => ({ owner, id }));
}

/** The files of which this device does not keep every chunk any more. */
export async function findIncomplete(files: readonly KeptFileRow[]): Promise<KeptFileRow[]> {
  const incomplete: KeptFileRow[] = [];
  for (const file of files) {
    if ((await countChunks(file)) !== chunkCount(file.bytes)) incomplete.push(file);
  }
  return incomplete;
}

/** The bytes of a file are of no use: its name stays with its draft or capsule, until its person has seen to it. */
export async function markLost({ owner, id }: Pick<KeptFileRow, 'owner' | 'id'>): Promise<void> {
  await db.files.update([owner, id], { complete: false, lost: true });
}
