import { Readable } from 'node:stream';
import type { BodyOf } from '../../shared/api/endpoint.ts';
import type { startUpload as startUploadEndpoint, UploadState } from '../../shared/api/uploads.ts';
import { MEGABYTE, UPLOAD_PART_MIN_BYTES } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import {
  addPart,
  completeUpload,
  countUploads,
  findParts,
  findUpload,
  insertUpload,
  takeUploads,
  type UploadRow,
} from '../db/uploads.ts';
import { lockUser } from '../db/users.ts';
import type { Actor, Deps } from '../deps.ts';
import { acceptedType, HEAD_BYTES } from '../files/sniff.ts';
import { isUuid } from './is-uuid.ts';
import { checkStorageLimit } from './storage-limit.ts';
import { discardRefused, releaseFiles } from './stored-files.ts';

/**
 * Large files arrive part by part. Each part is a file of its own in the store, durable before
 * it is counted; with the last one they are written together into one.
 */
type UploadDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'files' | 'log'>;

/** Of one person; more than a few capsules' worth is no honest use. */
const OPEN_UPLOADS_MAX = 100;

/** @throws FILE_TOO_LARGE, TOO_MANY_FILES, STORAGE_LIMIT_REACHED; UPLOAD_NOT_FOUND for an id that is somebody else's */
export async function startUpload(
  deps: UploadDeps,
  actor: Actor,
  id: string,
  { fileName: name, bytes }: BodyOf<typeof startUploadEndpoint>,
): Promise<UploadState> {
  if (!isUuid(id)) throw new AppError('UPLOAD_NOT_FOUND');
  if (bytes > deps.config.maxFileMB * MEGABYTE) {
    const message = `"${name}" is too large: a file can be at most ${deps.config.maxFileMB} MB.`;
    throw new AppError('FILE_TOO_LARGE', { message });
  }
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    if (!(await lockUser(tx, actor.userId))) throw new AppError('UNAUTHENTICATED');
    if (await findUpload(tx, actor.userId, id)) return;
    if ((await countUploads(tx, actor.userId)) >= OPEN_UPLOADS_MAX) {
      throw new AppError('TOO_MANY_FILES', { message: 'Too many uploads are under way at once.' });
    }
    await checkStorageLimit({ config: deps.config, db: tx }, actor, bytes);
    const row = {
      id,
      userId: actor.userId,
      name,
      bytes,
      received: 0,
      createdAt: now,
      touchedAt: now,
    };
    if (!(await insertUpload(tx, row))) throw new AppError('UPLOAD_NOT_FOUND');
  });
  return getUpload(deps, actor, id);
}

/** @throws UPLOAD_NOT_FOUND */
export async function getUpload(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  id: string,
): Promise<UploadState> {
  return present(await owned(db, actor, id));
}

/**
 * @param part.bytes checked against what the client said of them already
 * @throws UPLOAD_NOT_FOUND, UPLOAD_OFFSET_WRONG, FILE_TYPE_NOT_ACCEPTED
 */
export async function receivePart(
  deps: UploadDeps,
  actor: Actor,
  id: string,
  part: { start: number; bytes: Buffer },
): Promise<UploadState> {
  const upload = await owned(deps.db, actor, id);
  const end = part.start + part.bytes.length;
  if (part.start !== upload.received || end > upload.bytes)
    throw new AppError('UPLOAD_OFFSET_WRONG');
  // As soon as it can be known; a person should not send 200 MB to hear that it is no video.
  if (part.start === 0 && part.bytes.length >= Math.min(HEAD_BYTES, upload.bytes)) {
    await acceptedType(part.bytes.subarray(0, HEAD_BYTES), upload.name);
  }
  checkPartSize(part.bytes.length, end === upload.bytes);
  if (part.bytes.length > 0) await keepPart(deps, upload, part);
  if (end === upload.bytes) await assemble(deps, upload);
  return getUpload(deps, actor, id);
}

/** A file in a million parts would be a million files. Empty ones only ask whether all has come. */
function checkPartSize(bytes: number, isLast: boolean): void {
  if (isLast || bytes === 0 || bytes >= UPLOAD_PART_MIN_BYTES) return;
  const message = `A part that is not the last must have at least ${UPLOAD_PART_MIN_BYTES} bytes.`;
  throw new AppError('VALIDATION_FAILED', { message });
}

async function keepPart(
  deps: UploadDeps,
  upload: UploadRow,
  { start, bytes }: { start: number; bytes: Buffer },
): Promise<void> {
  const storageKey = `uploads/${deps.ids.uuid()}`;
  await deps.files.write(storageKey, Readable.from([bytes], { objectMode: false }));
  const row = {
    uploadId: upload.id,
    start,
    bytes: bytes.length,
    storageKey,
    now: deps.clock.now(),
  };
  try {
    // Of two requests with the same part one counts, the other is told where the file ends now.
    if (!(await deps.db.transaction((tx) => addPart(tx, row)))) {
      throw new AppError('UPLOAD_OFFSET_WRONG');
    }
  } catch (error) {
    await discardRefused(deps, [storageKey], error);
    throw error;
  }
}

/**
 * Writes the parts together into one file. Does nothing when that is done; a crash half-way only
 * costs time. Of several callers at once one does it, and the others find it done.
 * @throws UPLOAD_NOT_FOUND when it is given up meanwhile; FILE_TYPE_NOT_ACCEPTED
 */
export async function assemble(deps: UploadDeps, upload: UploadRow): Promise<void> {
  if (upload.storageKey !== null) return;
  const parts = await findParts(deps.db, upload.id);
  const storageKey = `capsules/${deps.ids.uuid()}`;
  try {
    const source = Readable.from(readParts(deps, parts), { objectMode: false });
    const { bytes, sha256 } = await deps.files.write(storageKey, source);
    if (bytes !== upload.bytes) throw new Error('The parts of an upload do not make its file.');
    const type = await acceptedType(await readHead(deps, storageKey), upload.name);
    const done = await deps.db.transaction((tx) =>
      completeUpload(tx, upload.id, { storageKey, type, sha256 }),
    );
    await releaseFiles(deps, done ? parts.map((part) => part.storageKey) : [storageKey]);
  } catch (error) {
    await discardRefused(deps, [storageKey], error);
    // The parts go when another request has put them together, or the upload was given up.
    const now = await owned(deps.db, upload, upload.id);
    if (now.storageKey === null) throw error;
  }
}

async function* readParts({ files }: Pick<Deps, 'files'>, parts: { storageKey: string }[]) {
  for (const { storageKey } of parts) {
    const stored = await files.read(storageKey);
    if (!stored) throw new Error('A part of an upload is missing.');
    yield* stored.stream;
  }
}

async function readHead({ files }: Pick<Deps, 'files'>, storageKey: string): Promise<Buffer> {
  const stored = await files.read(storageKey, { start: 0, end: HEAD_BYTES - 1 });
  return Buffer.concat((await stored?.stream.toArray()) ?? []);
}

/** @throws UPLOAD_NOT_FOUND, also when a capsule takes it at this moment: its bytes are the capsule's then */
export async function abandonUpload(deps: UploadDeps, actor: Actor, id: string): Promise<void> {
  const upload = await owned(deps.db, actor, id);
  const parts = await findParts(deps.db, upload.id);
  const [taken] = await takeUploads(deps.db, actor.userId, [upload.id]);
  if (!taken) throw new AppError('UPLOAD_NOT_FOUND');
  const keys = parts.map((part) => part.storageKey);
  await releaseFiles(deps, taken.storageKey ? [...keys, taken.storageKey] : keys);
}

async function owned(db: Deps['db'], actor: Actor, id: string): Promise<UploadRow> {
  const upload = isUuid(id) ? await findUpload(db, actor.userId, id) : undefined;
  if (!upload) throw new AppError('UPLOAD_NOT_FOUND');
  return upload;
}

function present({ id, bytes, received, storageKey }: UploadRow): UploadState {
  return { id, bytes, offset: received, complete: storageKey !== null };
}
