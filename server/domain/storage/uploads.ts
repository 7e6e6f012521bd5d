import type { Readable } from 'node:stream';
import type { BodyOf } from '../../../shared/api/endpoint.ts';
import type {
  startUpload as startUploadEndpoint,
  UploadState,
} from '../../../shared/api/uploads.ts';
import { MEGABYTE, UPLOAD_PART_MIN_BYTES } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { lockUser } from '../../db/accounts/users.ts';
import type { Queryable } from '../../db/open.ts';
import { releaseFiles } from '../../db/storage/pending-files.ts';
import { isNamed } from '../../db/storage/stored.ts';
import {
  completeUpload,
  countUploads,
  findUpload,
  insertUpload,
  setReceived,
  takeUploads,
  type UploadOwner,
  type UploadRow,
} from '../../db/storage/uploads.ts';
import type { Deps } from '../../deps.ts';
import { MissingBytesError } from '../../files/file-store.ts';
import { acceptedType, HEAD_BYTES } from '../../files/sniff.ts';
import { isUuid } from '../../ids.ts';
import { checkStorageLimit } from './storage-limit.ts';
import { removeFiles } from './stored-files.ts';
import type { Turns } from './turns.ts';

/**
 * Upload sessions: large files arrive in parts, which are appended to one file of the store. A
 * part is counted once it is durable.
 */
export type UploadDeps = Pick<
  Deps,
  'config' | 'db' | 'clock' | 'ids' | 'files' | 'filesReleased' | 'log'
>;

/** A part that is being received. */
export interface ArrivingPart {
  /** The bytes. If the part cannot be read to its end, the stream ends early instead of failing. */
  stream: Readable;
  /** The first bytes that came, at most HEAD_BYTES. */
  head(): Buffer;
  /**
   * How many of the bytes can be kept: all of a complete part, otherwise its complete, verified
   * chunks.
   */
  sound(): number;
  /** Why it ended early. */
  failure(): AppError | null;
  /** Ends it, for this reason, unless it has ended. */
  stop(reason: AppError): void;
}

/** Per person, and per contribution: more than many drafts need, which keep theirs. */
const OPEN_UPLOADS_MAX = 1_000;

/**
 * @param mayStart throws where nothing may be added any more; the person is locked
 * @throws FILE_TOO_LARGE, TOO_MANY_FILES, STORAGE_LIMIT_REACHED; UPLOAD_NOT_FOUND for an id that is
 * somebody else's
 */
export async function startUpload(
  deps: UploadDeps,
  owner: UploadOwner,
  id: string,
  { fileName: name, bytes, draft }: BodyOf<typeof startUploadEndpoint>,
  mayStart?: (tx: Queryable) => Promise<void>,
): Promise<UploadState> {
  if (!isUuid(id)) throw new AppError('UPLOAD_NOT_FOUND');
  if (bytes > deps.config.maxFileMB * MEGABYTE) {
    const message = `"${name}" is too large. A file can be at most ${deps.config.maxFileMB} MB.`;
    throw new AppError('FILE_TOO_LARGE', { message });
  }
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    if (!(await lockUser(tx, owner.userId))) throw new AppError('UNAUTHENTICATED');
    await mayStart?.(tx);
    if (await findUpload(tx, owner, id)) return;
    if ((await countUploads(tx, owner)) >= OPEN_UPLOADS_MAX) {
      throw new AppError('TOO_MANY_FILES', { message: 'Too many uploads are in progress.' });
    }
    await checkStorageLimit({ config: deps.config, db: tx }, owner, bytes);
    const row = {
      id,
      userId: owner.userId,
      name,
      bytes,
      received: 0,
      storageKey: `capsules/${deps.ids.uuid()}`,
      createdAt: now,
      touchedAt: now,
      draftId: draft ?? null,
      contributionId: owner.contributionId ?? null,
    };
    if (!(await insertUpload(tx, row))) throw new AppError('UPLOAD_NOT_FOUND');
  });
  return getUpload(deps, owner, id);
}

/** @throws UPLOAD_NOT_FOUND */
export async function getUpload(
  { db }: Pick<Deps, 'db'>,
  owner: UploadOwner,
  id: string,
): Promise<UploadState> {
  return present(await owned(db, owner, id));
}

/**
 * Receives the next part. What is on stable storage counts, even if the connection is lost.
 * @throws UPLOAD_NOT_FOUND, UPLOAD_OFFSET_WRONG, FILE_TYPE_NOT_ACCEPTED, STORAGE_FULL, and why the
 * part ended early
 */
export async function receivePart(
  deps: UploadDeps,
  turns: Turns,
  owner: UploadOwner,
  id: string,
  { start, length }: { start: number; length: number },
  part: ArrivingPart,
): Promise<UploadState> {
  let endTurn = () => {};
  try {
    // Uses the id of the row, because the one in the URL may have capitals.
    const { id: own } = await owned(deps.db, owner, id);
    endTurn = await turns.take(own, () => part.stop(new AppError('UPLOAD_OFFSET_WRONG')));
    const upload = await owned(deps.db, owner, id);
    checkPart(upload, start, length);
    const received = length === 0 ? start : await keepNamed(deps, upload, part);
    const failure = part.failure();
    if (failure) throw failure;
    return present(
      received === upload.bytes ? await complete(deps, upload) : { ...upload, received },
    );
  } finally {
    part.stop(new AppError('UNAVAILABLE'));
    endTurn();
  }
}

/** Refuses tiny parts, which would each cost a write. An empty part only asks for completion. */
function checkPart(upload: UploadRow, start: number, length: number): void {
  if (start !== upload.received) throw new AppError('UPLOAD_OFFSET_WRONG');
  const end = start + length;
  if (end > upload.bytes) throw new AppError('UPLOAD_OFFSET_WRONG');
  if (end === upload.bytes || length === 0 || length >= UPLOAD_PART_MIN_BYTES) return;
  const message = `A part that is not the last must have at least ${UPLOAD_PART_MIN_BYTES} bytes.`;
  throw new AppError('VALIDATION_FAILED', { message });
}

async function keepNamed(deps: UploadDeps, upload: UploadRow, part: ArrivingPart): Promise<number> {
  let received = upload.received;
  try {
    received = await keepPart(deps, upload, part);
    return received;
  } finally {
    if (received === upload.received) await removeUnnamed(deps, upload);
  }
}

/**
 * Removes what was just written if the upload was deleted meanwhile. `remove-files` may have looked
 * before, and forgets the file then.
 */
async function removeUnnamed(deps: UploadDeps, { storageKey }: UploadRow): Promise<void> {
  if (await isNamed(deps.db, storageKey).catch(() => true)) return;
  await releaseFiles(deps.db, [storageKey]);
  await removeFiles(deps, [storageKey]);
}

/** @returns the new offset */
async function keepPart(deps: UploadDeps, upload: UploadRow, part: ArrivingPart): Promise<number> {
  const { name, bytes, storageKey, received: start } = upload;
  await deps.files.append(storageKey, start, part.stream).catch((error: unknown) => {
    if (!(error instanceof MissingBytesError)) throw error;
    return beginAgain(deps, upload);
  });
  const end = start + part.sound();
  if (end === start) return start;
  // Judged with the first part, so that nobody sends 200 MB before a refusal.
  if (start === 0 && end >= Math.min(HEAD_BYTES, bytes)) await acceptedType(part.head(), name);
  return moveEnd(deps, upload, end);
}

/** @throws UPLOAD_OFFSET_WRONG if another request has moved it */
async function moveEnd({ db, clock }: UploadDeps, upload: UploadRow, end: number): Promise<number> {
  const moved = await setReceived(
    db,
    { id: upload.id, from: upload.received, to: end },
    clock.now(),
  );
  if (!moved) throw new AppError('UPLOAD_OFFSET_WRONG');
  return end;
}

/**
 * Restarts an upload whose counted bytes are missing, for instance after a restored disk. The
 * client still has every byte.
 */
async function beginAgain(deps: UploadDeps, upload: UploadRow): Promise<never> {
  deps.log.error({ upload: upload.id }, 'Bytes of an upload are missing, so it starts again.');
  await moveEnd(deps, upload, 0);
  throw new AppError('UPLOAD_INCOMPLETE');
}

/**
 * Completes an upload whose bytes have all arrived. Can be repeated, also after a crash. @throws
 * UPLOAD_NOT_FOUND if it was cancelled meanwhile; FILE_TYPE_NOT_ACCEPTED
 */
export async function complete(deps: UploadDeps, upload: UploadRow): Promise<UploadRow> {
  if (upload.sha256 !== null) return upload;
  try {
    return await makeWhole(deps, upload);
  } catch (error) {
    await removeUnnamed(deps, upload);
    throw error;
  }
}

async function makeWhole(deps: UploadDeps, upload: UploadRow): Promise<UploadRow> {
  const { name, bytes, storageKey } = upload;
  const { sha256 } = await deps.files.finish(storageKey, bytes).catch((error: unknown) => {
    if (!(error instanceof MissingBytesError)) throw error;
    return beginAgain(deps, upload);
  });
  const type = await acceptedType(await readHead(deps, storageKey), name);
  const done = await completeUpload(deps.db, upload, { type, sha256 });
  if (!done) throw new AppError('UPLOAD_NOT_FOUND');
  return done;
}

async function readHead({ files }: Pick<Deps, 'files'>, storageKey: string): Promise<Buffer> {
  const stored = await files.read(storageKey, { start: 0, end: HEAD_BYTES - 1 });
  return Buffer.concat((await stored?.stream.toArray()) ?? []);
}

/**
 * Stops the part in progress first, so that nothing is written after the removal. @throws
 * UPLOAD_NOT_FOUND, also if a capsule has just taken the upload over
 */
export async function abandonUpload(
  deps: UploadDeps,
  turns: Turns,
  owner: UploadOwner,
  id: string,
): Promise<void> {
  const upload = await owned(deps.db, owner, id);
  const endTurn = await turns.take(upload.id, () => {});
  try {
    await deps.db.transaction(async (tx) => {
      const [taken] = await takeUploads(tx, owner, [upload.id]);
      if (!taken) throw new AppError('UPLOAD_NOT_FOUND');
      await releaseFiles(tx, [taken.storageKey]);
    });
    deps.filesReleased();
  } finally {
    endTurn();
  }
}

async function owned(db: Deps['db'], owner: UploadOwner, id: string): Promise<UploadRow> {
  const upload = isUuid(id) ? await findUpload(db, owner, id) : undefined;
  if (!upload) throw new AppError('UPLOAD_NOT_FOUND');
  return upload;
}

function present({ id, bytes, received, sha256 }: UploadRow): UploadState {
  return { id, bytes, offset: received, complete: sha256 !== null };
}
