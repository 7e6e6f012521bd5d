import type { Capsule } from '../../shared/api/capsules.ts';
import { saveAccountDraft } from '../../shared/api/drafts.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { getUpload } from '../../shared/api/uploads.ts';
import { utcOffsetOf } from '../../shared/day.ts';
import { IDEMPOTENCY_HEADER, MEGABYTE } from '../../shared/limits.ts';
import { call, type Identity } from '../api/client.ts';
import { abortedError, CallError, isAnswerOf } from '../api/errors.ts';
import { findIncomplete, readAttachments } from '../db/attachments.ts';
import { AttachmentError, readWhole } from '../db/chunks.ts';
import { capsuleOf } from '../db/drafts.ts';
import { markInFlight, updateItem } from '../db/outbox.ts';
import { type Attachment, type OutboxRow, randomUuid } from '../db/tables.ts';
import { asUninvited, type Invited, inviteRecipients } from './invite-recipients.ts';
import { deliveryOf, wasConnectionBroken } from './retry-policy.ts';
import { ownUpload, uploadFile } from './upload-file.ts';

/** Up to here the files go in the creation's own body; above, a cut would cost too much. */
const ONE_BODY_BYTES = 16 * MEGABYTE;

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

async function askOrSend(queued: OutboxRow, context: UploadContext): Promise<UploadedCapsule> {
  const item = await settleWords(queued, context);
  // After silence the server is asked first, without the files: they may be damaged by now, or
  // refused, as an invitation may be. A capsule without either simply repeats its request.
  const invites = item.fields.recipients.some(({ toInvite }) => toInvite);
  const isAsked = item.mayHaveArrived && (item.fileCount > 0 || invites);
  if (isAsked && (await hasArrived(item, context))) {
    // For the links to hand over, which the lost answer was to bring.
    const nobody = { recipients: item.fields.recipients, invitations: [] };
    const invited = await invite(item, context).catch(() => nobody);
    const mayLeaveUploads = item.fileCount > 0 && !item.account;
    return { capsule: null, mayLeaveUploads, ...invited };
  }
  const invited = await invite(item, context);
  const sent = isAsked
    ? // A send that was cut off counts no failed try, but in one body it would start anew each time.
      await send({ ...item, mayHaveArrived: false }, context, true)
    : await send(item, context, item.attempts > 0);
  return { ...sent, ...invited };
}

/**
 * Words of the draft that were sent without an answer are in the capsule. The account learns so by their
 * revision, and does not keep them as somebody else's.
 */
async function settleWords(
  item: OutboxRow,
  { identity: { xsrf }, signal }: UploadContext,
): Promise<OutboxRow> {
  const { revision = 0, content, sent } = item.account ?? {};
  if (!sent || !content) return item;
  const body = { base: revision, content: sent };
  const account = await call(saveAccountDraft, {
    params: { id: item.id },
    body,
    xsrf,
    signal,
  }).then(
    (saved) => ({ revision: saved.revision, content: sent }),
    (error: unknown) => {
      // Another device has written meanwhile, or sealed: the words are in the capsule in any case.
      const isRefused =
        error instanceof CallError && (deliveryOf(error) === 'rejected' || error.status === 404);
      if (!isRefused && !isAnswerOf(error, 'DRAFT_CHANGED')) throw error;
      return { revision, content };
    },
  );
  await updateItem(item.id, { account });
  return { ...item, account };
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
  // Devices seal one draft with the same request, and a repeat of it by uploads costs no bytes.
  const hasBegun = hasFailed || item.account || files.some((file) => file.announced);
  const fitsBody = item.totalBytes <= ONE_BODY_BYTES;
  if (files.length === 0 || (fitsBody && !hasBegun)) {
    const whole: File[] = [];
    for (const file of files) whole.push(await readWhole(file));
    return { capsule: await seal(item, { files: whole }, context), mayLeaveUploads: false };
  }
  let before = 0;
  for (const file of files) {
    // What was picked elsewhere has arrived from there.
    if (!file.isElsewhere) await sendFile(item, file, before, context);
    before += file.bytes;
    // After the last file the creation itself confirms it.
    if (before < item.totalBytes) await noteSent(item, before);
  }
  const uploads = files.map(({ id }) => id);
  const capsule = await seal(item, { uploads }, context).catch(async (error: unknown) => {
    if (isAnswerOf(error, 'UPLOAD_NOT_FOUND')) await assertArrived(files, context);
    throw error;
  });
  return { capsule, mayLeaveUploads: fitsBody && !item.account };
}

/**
 * Whether this key has created a capsule. The question names an upload that does not exist:
 * nothing can be created from it, it costs no bytes, and a used key is told from an unused one.
 */
async function hasArrived(item: OutboxRow, context: UploadContext): Promise<boolean> {
  // Another device may have used the key for other words: of a draft of the account the same request
  // is sent again.
  const files = item.account ? await readAttachments(item.id) : [{ id: randomUuid() }];
  try {
    await seal(item, { uploads: files.map(({ id }) => id) }, context);
    return true;
  } catch (error) {
    if (!item.account && isAnswerOf(error, 'IDEMPOTENCY_KEY_REUSED')) return true;
    if (NOT_CREATED.some((code) => isAnswerOf(error, code))) return false;
    throw error;
  }
}

const NOT_CREATED = ['UPLOAD_NOT_FOUND', 'UPLOAD_INCOMPLETE', 'RECIPIENT_NOT_REGISTERED'] as const;

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
      body: {
        ...capsuleOf(item.fields),
        ...zoneOf(item),
        uploads: uploads ?? [],
        ...draftOf(item),
      },
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

/** What another device has written after this revision is not in the capsule, and stays a draft. */
function draftOf({ id, account }: OutboxRow) {
  return account ? { draft: { id, revision: account.revision } } : {};
}

/** Browsers learn new time zones earlier than servers do; the offset means the same to all. */
function zoneOf({ timeZone, fields }: OutboxRow) {
  return { timeZone, utcOffset: utcOffsetOf(fields.dateToUnlock, timeZone) };
}

/** @param before bytes of the files that went ahead of this one */
async function sendFile(
  item: OutboxRow,
  file: Attachment,
  before: number,
  { identity: { xsrf }, signal, onSent }: UploadContext,
): Promise<void> {
  await uploadFile(file, {
    ...{ calls: ownUpload(file, xsrf), signal, isBroken: wasConnectionBroken(item.failure) },
    onSent: onSent && ((bytes) => onSent(before + bytes)),
    onArrived: (bytes) => noteSent(item, before + bytes),
  });
}

/** @throws {AttachmentError} for a file of another device that was taken out there: it has to be added again */
async function assertArrived(
  files: readonly Attachment[],
  { identity: { xsrf }, signal }: UploadContext,
): Promise<void> {
  for (const file of files.filter(({ isElsewhere }) => isElsewhere)) {
    await call(getUpload, { params: { id: file.id }, xsrf, signal }).catch((error: unknown) => {
      if (!isAnswerOf(error, 'UPLOAD_NOT_FOUND')) throw error;
      throw new AttachmentError('unreadable', { file });
    });
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
