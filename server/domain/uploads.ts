import type { Readable } from 'node:stream';
import type { BodyOf } from '../../shared/api/endpoint.ts';
import type { startUpload as startUploadEndpoint, UploadState } from '../../shared/api/uploads.ts';
import { MEGABYTE, UPLOAD_PART_MIN_BYTES } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import { findReferencedKeys } from '../db/sweep.ts';
import {
  completeUpload,
  countUploads,
  findUpload,
  insertUpload,
  setReceived,
  takeUploads,
  type UploadRow,
} from '../db/uploads.ts';
import { lockUser } from '../db/users.ts';
import type { Actor, Deps } from '../deps.ts';
import { MissingBytesError } from '../files/file-store.ts';
import { acceptedType, HEAD_BYTES } from '../files/sniff.ts';
import { isUuid } from './is-uuid.ts';
import { checkStorageLimit } from './storage-limit.ts';
import { releaseFiles } from './stored-files.ts';
import type { Turns } from './turns.ts';

/**
 * Large files arrive part by part, into one file of the store that grows; a part is durable
 * before it is counted.
 */
type UploadDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'files' | 'log'>;

/** A part on its way in. */
export interface ArrivingPart {
  /** What arrives. It ends early, and never fails, when the part cannot be read to its end. */
  stream: Readable;
  /** The first bytes that came, at most HEAD_BYTES. */
  head(): Buffer;
  /** Bytes from the beginning that may be kept: all of a whole part, else its sound whole chunks. */
  sound(): number;
  /** Why it ended early. */
  failure(): AppError | null;
  /** Ends it, for this reason, unless it has ended. */
  stop(reason: AppError): void;
}

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
      storageKey: `capsules/${deps.ids.uuid()}`,
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
 * Takes the next part in. What of it is on stable storage counts, also when the rest does not come.
 * @throws UPLOAD_NOT_FOUND, UPLOAD_OFFSET_WRONG, FILE_TYPE_NOT_ACCEPTED, STORAGE_FULL, and why the part ended early
 */
export async function receivePart(
  deps: UploadDeps,
  turns: Turns,
  actor: Actor,
  id: string,
  { start, length }: { start: number; length: number },
  part: ArrivingPart,
): Promise<UploadState> {
  let endTurn = () => {};
  try {
    // By the id of the row: the one in the address may be written in capitals.
    const { id: own } = await owned(deps.db, actor, id);
    endTurn = await turns.take(own, () => part.stop(new AppError('UPLOAD_OFFSET_WRONG')));
    const upload = await owned(deps.db, actor, id);
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

/** A file in a million parts would be a million writes. Empty ones only ask whether all has come. */
function checkPart(upload: UploadRow, start: number, length: number): void {
  if (start !== upload.received) throw new AppError('UPLOAD_OFFSET_WRONG');
  const end = start + length;
  if (end > upload.bytes) throw new AppError('UPLOAD_OFFSET_WRONG');
  if (end === upload.bytes || length === 0 || length >= UPLOAD_PART_MIN_BYTES) return;
  const message = `A part that is not the last must have at least ${UPLOAD_PART_MIN_BYTES} bytes.`;
  throw new AppError('VALIDATION_FAILED', { message });
}

/** Removes what was written for an upload that is gone by now, with its account perhaps: no row names it. */
async function keepNamed(deps: UploadDeps, upload: UploadRow, part: ArrivingPart): Promise<number> {
  let received = upload.received;
  try {
    received = await keepPart(deps, upload, part);
    return received;
  } finally {
    if (received === upload.received) await releaseUnnamed(deps, upload.storageKey);
  }
}

/** What cannot be removed now, or be asked about, is left to the sweep. */
async function releaseUnnamed(deps: UploadDeps, storageKey: string): Promise<void> {
  const named = await findReferencedKeys(deps.db, [storageKey]).catch(() => null);
  if (named && !named.has(storageKey)) await releaseFiles(deps, [storageKey]);
}

/** @returns how far the upload has come */
async function keepPart(deps: UploadDeps, upload: UploadRow, part: ArrivingPart): Promise<number> {
  const { name, bytes, storageKey, received: start } = upload;
  await deps.files.append(storageKey, start, part.stream).catch((error: unknown) => {
    if (!(error instanceof MissingBytesError)) throw error;
    return beginAgain(deps, upload);
  });
  const end = start + part.sound();
  if (end === start) return start;
  // With the first part; a person should not send 200 MB to hear that it is no video.
  if (start === 0 && end >= Math.min(HEAD_BYTES, bytes)) await acceptedType(part.head(), name);
  return moveEnd(deps, upload, end);
}

/** @throws UPLOAD_OFFSET_WRONG when it has moved otherwise */
async function moveEnd({ db, clock }: UploadDeps, upload: UploadRow, end: number): Promise<number> {
  const moved = await setReceived(
    db,
    { id: upload.id, from: upload.received, to: end },
    clock.now(),
  );
  if (!moved) throw new AppError('UPLOAD_OFFSET_WRONG');
  return end;
}

/** What was counted is not there any more, for instance after a disk was restored. The client still has every byte. */
async function beginAgain(deps: UploadDeps, upload: UploadRow): Promise<never> {
  deps.log.error({ upload: upload.id }, 'bytes of an upload are missing; it begins again');
  await moveEnd(deps, upload, 0);
  throw new AppError('UPLOAD_INCOMPLETE');
}

/**
 * Makes a file of what has come, once all has. It may be asked again, also after a crash half-way.
 * @throws UPLOAD_NOT_FOUND when it is given up meanwhile; FILE_TYPE_NOT_ACCEPTED
 */
export async function complete(deps: UploadDeps, upload: UploadRow): Promise<UploadRow> {
  if (upload.sha256 !== null) return upload;
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
 * Ends the part that is under way first: nothing is written behind what is removed here.
 * @throws UPLOAD_NOT_FOUND, also when a capsule takes it at this moment: its bytes are the capsule's then
 */
export async function abandonUpload(
  deps: UploadDeps,
  turns: Turns,
  actor: Actor,
  id: string,
): Promise<void> {
  const upload = await owned(deps.db, actor, id);
  const endTurn = await turns.take(upload.id, () => {});
  try {
    const [taken] = await takeUploads(deps.db, actor.userId, [upload.id]);
    if (!taken) throw new AppError('UPLOAD_NOT_FOUND');
    await releaseFiles(deps, [taken.storageKey]);
  } finally {
    endTurn();
  }
}

async function owned(db: Deps['db'], actor: Actor, id: string): Promise<UploadRow> {
  const upload = isUuid(id) ? await findUpload(db, actor.userId, id) : undefined;
  if (!upload) throw new AppError('UPLOAD_NOT_FOUND');
  return upload;
}

function present({ id, bytes, received, sha256 }: UploadRow): UploadState {
  return { id, bytes, offset: received, complete: sha256 !== null };
}
