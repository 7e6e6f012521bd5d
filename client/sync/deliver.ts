import type { Capsule } from '../../shared/api/capsules.ts';
import { createCapsule, type NewCapsuleInput } from '../../shared/api/new-capsule.ts';
import { getUpload, sendPart, startUpload } from '../../shared/api/uploads.ts';
import {
  CHUNK_DIGESTS_HEADER,
  IDEMPOTENCY_HEADER,
  MEGABYTE,
  UPLOAD_CHUNK_BYTES,
  UPLOAD_OFFSET_HEADER,
  UPLOAD_PART_MAX_BYTES,
} from '../../shared/limits.ts';
import { abortedError, CallError, isAborted, isAnswerOf } from '../http/call-error.ts';
import type { Identity } from '../http/identify.ts';
import { send } from '../http/send.ts';
import { forgetAbandoned } from '../local/abandoned.ts';
import { db, type KeptFileRow, type OutboxRow } from '../local/db.ts';
import { KeepFileError } from '../local/keep-file-error.ts';
import { assertSound, readPart, readWhole } from '../local/kept-bytes.ts';
import { findIncomplete, readFiles } from '../local/kept-files.ts';
import { noteLeaving, updateItem } from '../local/outbox.ts';
import { randomUuid } from '../local/uuid.ts';
import { arrivalOf } from './outcome.ts';
import { nextPartBytes, PIECE_BYTES } from './part-size.ts';
import { isPauseWanted } from './sync-tag.ts';

/** Up to here a capsule goes in one body; above, a cut would cost too much. */
const ONE_BODY_BYTES = 16 * MEGABYTE;

export interface DeliverContext {
  identity: Identity;
  signal: AbortSignal | undefined;
  /** Bytes of the files that have left so far; absent in a worker, which cannot tell. */
  onSent?: ((bytes: number) => void) | undefined;
}

export interface DeliveredCapsule {
  /** As the server has just made it; null when it did so by an earlier try. */
  capsule: Capsule | null;
  /**
   * The files may have gone in a body by one try and as uploads by another: then the capsule was
   * made of one, and the server has the other for nothing.
   */
  mayLeaveUploads: boolean;
}

/**
 * Sends one queued capsule, or learns that it has arrived before.
 * @throws {CallError} {KeepFileError} the latter only when the server has never made it
 */
export async function deliver(item: OutboxRow, context: DeliverContext): Promise<DeliveredCapsule> {
  // First, and without its files: they may be damaged by now, or refused for their own sake. What
  // has none is its own question.
  if (!item.mayHaveArrived || item.fileCount === 0) return sendWhole(item, context);
  if (await hasArrived(item, context)) return { capsule: null, mayLeaveUploads: true };
  // Cut off with its page, it counts no failed try; in one body it would begin anew each time.
  return sendWhole({ ...item, mayHaveArrived: false }, context, true);
}

/**
 * Sends one queued capsule. Small ones go in the documented body, large ones and those that
 * failed before go part by part, from where the server says they stopped.
 */
async function sendWhole(
  item: OutboxRow,
  context: DeliverContext,
  failedBefore = item.attempts > 0,
): Promise<DeliveredCapsule> {
  const files = await readFiles(item.owner, item.id);
  const [damaged] = [...files.filter((file) => !file.complete), ...(await findIncomplete(files))];
  if (damaged) throw new KeepFileError('unreadable', { file: damaged });
  if (files.length !== item.fileCount) throw new KeepFileError('unreadable');
  const hasBegun = failedBefore || files.some((file) => file.announced);
  const fitsBody = item.totalBytes <= ONE_BODY_BYTES;
  const inParts = files.length > 0 && (!fitsBody || hasBegun);
  if (!inParts) return { capsule: await seal(item, { files }, context), mayLeaveUploads: false };
  let before = 0;
  for (const file of files) {
    await sendFile(item, file, before, context);
    before += file.bytes;
    // Of the last one, the sealing says that it has arrived.
    if (before < item.totalBytes) await noteSent(item, before);
  }
  const capsule = await seal(item, { uploads: files.map(({ id }) => id) }, context);
  return { capsule, mayLeaveUploads: fitsBody };
}

/**
 * Whether the key has made a capsule. It is asked with an upload that does not exist: nothing
 * can be made of that, and a key that has made something is told from one that has not.
 */
async function hasArrived(item: OutboxRow, context: DeliverContext): Promise<boolean> {
  try {
    await seal(item, { uploads: [randomUuid()] }, context);
    return true;
  } catch (error) {
    if (isAnswerOf(error, 'IDEMPOTENCY_KEY_REUSED')) return true;
    if (isAnswerOf(error, 'UPLOAD_NOT_FOUND')) return false;
    throw error;
  }
}

/** @param content the files themselves, or the uploads by which they went before */
async function seal(
  item: OutboxRow,
  content: { files: KeptFileRow[] } | { uploads: string[] },
  { identity, signal, onSent }: DeliverContext,
): Promise<Capsule> {
  const { json = 'capsule', files: part } = createCapsule.multipart ?? { files: 'files' };
  const inParts = 'uploads' in content;
  const files = inParts ? [] : content.files;
  const capsule: NewCapsuleInput = {
    ...fieldsOf(item),
    uploads: inParts ? content.uploads : [],
  };
  const body = new FormData();
  // First, so that the server can refuse before it takes any file.
  body.append(json, new Blob([JSON.stringify(capsule)], { type: 'application/json' }));
  for (const file of files) body.append(part, await readWhole(file), file.name);
  // Taken back meanwhile, or taken over by another sender: it must not leave from here.
  if (!(await noteLeaving(item))) throw abortedError();
  try {
    return await send(createCapsule, {
      headers: { [IDEMPOTENCY_HEADER]: item.id },
      body,
      xsrf: identity.xsrf,
      signal,
      ...(onSent && !inParts
        ? { onSent: (bytes: number) => onSent(Math.min(bytes, item.totalBytes)) }
        : {}),
    });
  } catch (error) {
    const arrival = error instanceof CallError ? arrivalOf(error) : 'open';
    // It has arrived, as `hasArrived` is about to say: until then nobody may take it back.
    const isFound = item.mayHaveArrived && inParts && isAnswerOf(error, 'IDEMPOTENCY_KEY_REUSED');
    if (isFound) throw error;
    if (arrival === 'decided') await updateItem(item, { mayHaveArrived: false });
    if (arrival === 'unheard') await updateItem(item, { mayHaveArrived: item.mayHaveArrived });
    throw error;
  }
}

function fieldsOf({ fields, timeZone }: OutboxRow): NewCapsuleInput {
  const { recipients, ...rest } = fields;
  return { ...rest, recipientEmails: recipients.map(({ email }) => email), timeZone };
}

/** @param before bytes of the files that went ahead of this one */
async function sendFile(
  item: OutboxRow,
  file: KeptFileRow,
  before: number,
  { identity: { xsrf }, signal, onSent }: DeliverContext,
): Promise<void> {
  const params = { id: file.id };
  await db.transaction('rw', db.files, db.abandoned, async () => {
    await db.files.update([file.owner, file.id], { announced: true });
    await forgetAbandoned(file);
  });
  const announcement = JSON.stringify({ fileName: file.name, bytes: file.bytes });
  let { offset, complete } = await send(startUpload, {
    params,
    body: new Blob([announcement], { type: 'application/json' }),
    xsrf,
    signal,
  });
  // Cut, and no further than when it was noted last: the line carries less than a chunk at a time.
  const isStuck = file.announced && failedOnTheWay(item) && before + offset <= item.sentBytes;
  let size = isStuck ? PIECE_BYTES : UPLOAD_CHUNK_BYTES;
  let sizeMax = UPLOAD_PART_MAX_BYTES;
  let noted = noteSent(item, before + offset);
  while (!complete) {
    const { body, digests } = await readPart(file, offset, size);
    const start = before + offset;
    const end = offset + body.size;
    const began = performance.now();
    try {
      ({ offset, complete } = await send(sendPart, {
        params,
        headers: {
          [UPLOAD_OFFSET_HEADER]: String(offset),
          ...(digests.length > 0 ? { [CHUNK_DIGESTS_HEADER]: digests.map(base64).join(', ') } : {}),
        },
        body,
        xsrf,
        signal,
        ...(onSent ? { onSent: (sent: number) => onSent(start + Math.min(sent, body.size)) } : {}),
      }));
      size = Math.min(nextPartBytes(body.size, performance.now() - began), sizeMax);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // Something on the way takes no larger bodies than this.
      if (error.status === 413 && size > PIECE_BYTES) {
        size = size > UPLOAD_CHUNK_BYTES ? UPLOAD_CHUNK_BYTES : PIECE_BYTES;
        sizeMax = size;
        continue;
      }
      // A kept chunk that cannot be read fails as a lost connection does.
      if (isDoubtful(error)) await assertSound(file, offset, end);
      // An earlier answer was lost: the server knows how far it has come.
      if (error.code !== 'UPLOAD_OFFSET_WRONG') throw error;
      const state = await send(getUpload, { params, xsrf, signal });
      if (state.offset <= offset && !state.complete) throw error;
      ({ offset, complete } = state);
    }
    await noted;
    if (complete) return;
    noted = noteSent(item, before + offset);
    // It goes on from here, with a new version perhaps.
    if (await isPauseWanted()) {
      await noted;
      throw abortedError();
    }
  }
}

/** Failures of the line, and of what stands in it. */
const ON_THE_WAY = ['NETWORK_ERROR', 'REQUEST_TIMEOUT', 'UNEXPECTED_ANSWER'];

/** Cut off, or not refused by the server itself. */
function failedOnTheWay({ failure }: OutboxRow): boolean {
  return failure === null || ON_THE_WAY.includes(failure.code);
}

/**
 * The server knows how far it has come, and a full device must not stop it. A line that carries
 * something is no reason to wait longer and longer.
 */
async function noteSent(item: OutboxRow, sentBytes: number): Promise<void> {
  // An upload that has begun anew carries what it has carried before.
  if (sentBytes <= item.sentBytes) return;
  await updateItem(item, { sentBytes, attempts: 0 }).catch(() => undefined);
}

/** Whether a part may have failed because of its bytes. */
function isDoubtful(error: CallError): boolean {
  return error.code === 'UPLOAD_PART_CORRUPT' || (error.status === 0 && !isAborted(error));
}

/** As a byte sequence of a structured header field. */
function base64(bytes: ArrayBuffer): string {
  return `:${btoa(String.fromCharCode(...new Uint8Array(bytes)))}:`;
}
