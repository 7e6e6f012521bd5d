import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { findUploadedFiles, findUploads, type UploadRow } from '../../db/storage/uploads.ts';
import type { Deps } from '../../deps.ts';
import { complete, type UploadDeps } from '../storage/uploads.ts';
import type { ReceivedFile } from './new-capsule.ts';

/**
 * The uploads a new capsule names, as its files. @throws UPLOAD_NOT_FOUND, UPLOAD_INCOMPLETE
 */
export async function openUploads(
  deps: UploadDeps,
  actor: Actor,
  ids: string[],
): Promise<ReceivedFile[]> {
  if (ids.length === 0) return [];
  const files = new Map<string, ReceivedFile>();
  for (const upload of await findUploads(deps.db, actor, ids)) {
    if (upload.received !== upload.bytes) throw new AppError('UPLOAD_INCOMPLETE');
    // The server may have stopped between the last part and completing the upload.
    files.set(upload.id, asFile(await complete(deps, upload)));
  }
  return ids.map((id) => {
    const file = files.get(id);
    if (!file) throw new AppError('UPLOAD_NOT_FOUND');
    return file;
  });
}

function asFile({ id, name, bytes, type, sha256, storageKey }: UploadRow): ReceivedFile {
  if (type === null || sha256 === null) throw new AppError('UPLOAD_INCOMPLETE');
  return { name, bytes, type, sha256, storageKey, uploadId: id };
}

/**
 * The uploads named by a repeated request. They are still waiting if the first request sent its
 * files in the body, or are files of the capsule by now.
 */
export async function recallUploads(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  ids: string[],
  capsuleId: string,
): Promise<{ name: string; sha256: string }[]> {
  if (ids.length === 0) return [];
  const waiting = await findUploads(db, actor, ids);
  const taken = await findUploadedFiles(db, capsuleId, ids);
  return ids.map((id) => {
    // An upload started again under the same id after its capsule was made is a different, empty
    // one.
    const found = taken.find((row) => row.uploadId === id) ?? waiting.find((row) => row.id === id);
    if (!found?.sha256) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    return { name: found.name, sha256: found.sha256 };
  });
}
