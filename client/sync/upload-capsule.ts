import type { Capsule } from '../../shared/api/capsules.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { getUpload, sendPart, startUpload } from '../../shared/api/uploads.ts';
import { utcOffsetOf } from '../../shared/day.ts';
import {
  CHUNK_DIGESTS_HEADER,
  IDEMPOTENCY_HEADER,
  MEGABYTE,
  UPLOAD_CHUNK_BYTES,
  UPLOAD_OFFSET_HEADER,
} from '../../shared/limits.ts';
import { call, type Identity } from '../api/client.ts';
import { abortedError, CallError, isAborted, isAnswerOf } from '../api/errors.ts';
import { findIncomplete, markAnnounced, readAttachments } from '../db/attachments.ts';
import { AttachmentError, assertSound, readPart, readWhole } from '../db/chunks.ts';
import { capsuleOf } from '../db/drafts.ts';
import { markInFlight, updateItem } from '../db/outbox.ts';
import { type Attachment, type OutboxRow, randomUuid } from '../db/tables.ts';
import { asUninvited, type Invited, inviteRecipients } from './invite-recipients.ts';
import { isPauseWanted } from './locks.ts';
import { deliveryOf, wasConnectionBroken } from './retry-policy.ts';

/** Up to here the files go in the creation's own body; above, a cut would cost too much. */
const ONE_BODY_BYTES = 16 * MEGABYTE;

/**
 * Upload parts have 4 MiB. On a connection that has broken they start at 256 kB and double with
 * each part that arrives, because a cut loses the part under way.
 */
const PART_MAX_BYTES = UPLOAD_CHUNK_BYTES;
const PART_MIN_BYTES = 262_144;

interface UploadContext {
  identity: Identity;
  signal: AbortSignal | undefined;
  /** Bytes of the files that have left; absent in a worker, which cannot tell. */
  onSent?: ((bytes: number) => void) | undefined;
}

interface SentCapsule {
  /** As the server has just created it; null when an earlier try had. */
  capsule: Capsule | null;
  /**
   * One try may have sent the files in the body and another as uploads. The capsule was made of
   * one of them, and the server holds the uploads for nothing.
   */
  mayLeaveUploads: boolean;
}

interface UploadedCapsule extends SentCapsule, Invited {}

/**
 * Invites its recipients where that was asked for, and sends one queued capsule, or learns that it
 * has arrived before.
 * @throws {CallError} {AttachmentError} the latter only when the server has never created it
 */
export async function uploadCapsule(
  item: OutboxRow,
  context: UploadContext,
): Promise<UploadedCapsule> {
  try {
    return await askOrSend(item, context);
  } catch (error) {
    throw asUninvited(item, error) ?? error;
  }
}

async function askOrSend(item: OutboxRow, context: UploadContext): Promise<UploadedCapsule> {
  // After silence the server is asked first, without the files: they may be damaged by now, or
  // refused, as an invitation may be. A capsule without either simply repeats its request.
  const invites = item.fields.recipients.some(({ toInvite }) => toInvite);
  const isAsked = item.mayHaveArrived && (item.fileCount > 0 || invites);
  if (isAsked && (await hasArrived(item, context))) {
    // For the links to hand over, which the lost answer was to bring.
    const none = { recipients: item.fields.recipients, invitations: [] };
    const invited = await invite(item, context).catch(() => none);
    return { capsule: null, mayLeaveUploads: item.fileCount > 0, ...invited };
  }
  const invited = await invite(item, context);
  const sent = isAsked
    ? // A send that was cut off counts no failed try, but in one body it would start anew each time.
      await send({ ...item, mayHaveArrived: false }, context, true)
    : await send(item, context, item.attempts > 0);
  return { ...sent, ...invited };
}

function invite(item: OutboxRow, { identity: { xsrf }, signal }: UploadContext): Promise<Invited> {
  return inviteRecipients(item, { xsrf, signal });
}

/** Small capsules go in one body; large ones, and those that failed before, in resumable parts. */
async function send(
  item: OutboxRow,
  context: UploadContext,
  hasFailed: boolean,
): Promise<SentCapsule> {
  const files = await readAttachments(item.id);
  const [damaged] = await findIncomplete(files);
  if (damaged) throw new AttachmentError('unreadable', { file: damaged });
  if (files.length !== item.fileCount) throw new AttachmentError('unreadable');
  const hasBegun = hasFailed || files.some((file) => file.announced);
  const fitsBody = item.totalBytes <= ONE_BODY_BYTES;
  if (files.length === 0 || (fitsBody && !hasBegun)) {
    const whole: File[] = [];
    for (const file of files) whole.push(await readWhole(file));
    return { capsule: await seal(item, { files: whole }, context), mayLeaveUploads: false };
  }
  let before = 0;
  for (const file of files) {
    await uploadFile(item, file, before, context);
    before += file.bytes;
    // After the last file the creation itself confirms it.
    if (before < item.totalBytes) await noteSent(item, before);
  }
  const capsule = await seal(item, { uploads: files.map(({ id }) => id) }, context);
  return { capsule, mayLeaveUploads: fitsBody };
}

/**
 * Whether this key has created a capsule. The question names an upload that does not exist:
 * nothing can be created from it, it costs no bytes, and a used key is told from an unused one.
 */
async function hasArrived(item: OutboxRow, context: UploadContext): Promise<boolean> {
  try {
    await seal(item, { uploads: [randomUuid()] }, context);
    return true;
  } catch (error) {
    if (isAnswerOf(error, 'IDEMPOTENCY_KEY_REUSED')) return true;
    if (isAnswerOf(error, 'UPLOAD_NOT_FOUND')) return false;
    throw error;
  }
}

/** @param content the files themselves, or the uploads by which they were sent before */
async function seal(
  item: OutboxRow,
  { files = [], uploads }: { files?: File[]; uploads?: string[] },
  { identity, signal, onSent }: UploadContext,
): Promise<Capsule> {
  // The person has taken the capsule back, or another sender has it: nothing may leave from here.
  if (!(await markInFlight(item.id))) throw abortedError();
  try {
    return await call(createCapsule, {
      headers: { [IDEMPOTENCY_HEADER]: item.id },
      body: { ...capsuleOf(item.fields), ...zoneOf(item), uploads: uploads ?? [] },
      files,
      xsrf: identity.xsrf,
      signal,
      onProgress: uploads ? undefined : onSent && ((n) => onSent(Math.min(n, item.totalBytes))),
    });
  } catch (error) {
    const delivery = error instanceof CallError ? deliveryOf(error) : 'unknown';
    // This refusal proves that an earlier request has created the capsule, and `hasArrived` reports
    // it. Clearing the mark here would let the person take back a sealed capsule.
    const isFound = item.mayHaveArrived && uploads && isAnswerOf(error, 'IDEMPOTENCY_KEY_REUSED');
    if (isFound) throw error;
    if (delivery === 'rejected') await updateItem(item.id, { mayHaveArrived: false });
    if (delivery === 'not-delivered') {
      await updateItem(item.id, { mayHaveArrived: item.mayHaveArrived });
    }
    throw error;
  }
}

/** Browsers learn new time zones earlier than servers do; the offset means the same to all. */
function zoneOf({ timeZone, fields }: OutboxRow) {
  return { timeZone, utcOffset: utcOffsetOf(fields.dateToUnlock, timeZone) };
}

/** @param before bytes of the files that went ahead of this one */
async function uploadFile(
  item: OutboxRow,
  file: Attachment,
  before: number,
  { identity: { xsrf }, signal, onSent }: UploadContext,
): Promise<void> {
  const params = { id: file.id };
  await markAnnounced(file.id);
  let { offset, complete } = await call(startUpload, {
    params,
    body: { fileName: file.name, bytes: file.bytes },
    xsrf,
    signal,
  });
  let mostBytes = PART_MAX_BYTES;
  let partBytes =
    file.announced && wasConnectionBroken(item.failure) ? PART_MIN_BYTES : PART_MAX_BYTES;
  let noted = noteSent(item, before + offset);
  while (!complete) {
    const { body, digest } = await readPart(file, offset, partBytes);
    const start = before + offset;
    try {
      ({ offset, complete } = await call(sendPart, {
        params,
        headers: {
          [UPLOAD_OFFSET_HEADER]: String(offset),
          ...(digest && { [CHUNK_DIGESTS_HEADER]: base64(digest) }),
        },
        bytes: body,
        xsrf,
        signal,
        onProgress: onSent && ((sent) => onSent(start + Math.min(sent, body.size))),
      }));
      partBytes = Math.min(partBytes * 2, mostBytes);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // A proxy takes no larger bodies than this.
      if (isBodyTooLarge(error) && partBytes > PART_MIN_BYTES) {
        mostBytes = partBytes / 2;
        partBytes = mostBytes;
        continue;
      }
      // A stored chunk that cannot be read fails as a lost connection does.
      if (mayBeDamaged(error)) await assertSound(file, offset);
      // An earlier answer was lost: the server knows how far it has come.
      if (error.code !== 'UPLOAD_OFFSET_WRONG') throw error;
      const state = await call(getUpload, { params, xsrf, signal });
      if (state.offset <= offset && !state.complete) throw error;
      ({ offset, complete } = state);
    }
    await noted;
    if (complete) return;
    noted = noteSent(item, before + offset);
    // The upload goes on from this offset later, perhaps in a new version of the app.
    if (await isPauseWanted()) {
      await noted;
      throw abortedError();
    }
  }
}

/**
 * Bytes that arrived make the next failure the first again: a connection that carries something is
 * not waited for longer and longer. A full device must not stop the upload.
 */
async function noteSent(item: OutboxRow, sentBytes: number): Promise<void> {
  // An upload that had to start anew has not passed its old mark yet.
  if (sentBytes <= item.sentBytes) return;
  await updateItem(item.id, { sentBytes, attempts: 0 }).catch(() => undefined);
}

function isBodyTooLarge({ status, code }: CallError): boolean {
  return status === 413 && (code === 'UNEXPECTED_ANSWER' || code === 'PAYLOAD_TOO_LARGE');
}

function mayBeDamaged(error: CallError): boolean {
  return error.code === 'UPLOAD_PART_CORRUPT' || (error.status === 0 && !isAborted(error));
}

/** As a byte sequence of a structured header field. */
function base64(bytes: ArrayBuffer): string {
  return `:${btoa(String.fromCharCode(...new Uint8Array(bytes)))}:`;
}
