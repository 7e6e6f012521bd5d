import type { Capsule } from '../../shared/api/capsules.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { getUpload } from '../../shared/api/uploads.ts';
import { utcOffsetOf } from '../../shared/day.ts';
import { IDEMPOTENCY_HEADER } from '../../shared/limits.ts';
import { isBlank } from '../../shared/visible-text.ts';
import { call } from '../api/client.ts';
import { abortedError, CallError, isAnswerOf } from '../api/errors.ts';
import { findIncomplete, forgetArrived, readFiles } from '../db/attachments.ts';
import { AttachmentError } from '../db/chunks.ts';
import { capsuleOf } from '../db/drafts.ts';
import { markInFlight, updateItem } from '../db/outbox.ts';
import type { Attachment, ChosenRecipient, OutboxRow } from '../db/tables.ts';
import type { Delivered } from './locks.ts';
import { deliveryOf, wasConnectionBroken } from './retry-policy.ts';
import { ownUpload, uploadFile } from './upload-file.ts';

interface UploadContext {
  /** The token of the person's session. */
  xsrf: string;
  signal: AbortSignal;
  /** Bytes of the files that have left; absent in a worker, which cannot tell. */
  onSent?: ((bytes: number) => void) | undefined;
  /** Called after each part of a file. */
  onPart?: () => Promise<void>;
}

/** People are named as the server names them. */
interface UploadedCapsule extends Pick<Delivered, 'recipients' | 'invitations'> {
  /** Null where an app of before has sent it, with its files, and the answer was lost. */
  capsule: Capsule | null;
}

/**
 * Sends one queued capsule: its files ahead, each as an upload, and then one small request that seals it.
 * Under its key that is one capsule, however often it is sent.
 * @throws {CallError} {AttachmentError}
 */
export async function uploadCapsule(
  item: OutboxRow,
  context: UploadContext,
): Promise<UploadedCapsule> {
  // What may have arrived is only asked for again: its files are there, or in the capsule.
  if (!item.mayHaveArrived) await sendFiles(item, context);
  return seal(item, context);
}

async function sendFiles(
  item: OutboxRow,
  { xsrf, signal, onSent, onPart }: UploadContext,
): Promise<void> {
  const files = await readFiles(item);
  const [damaged] = await findIncomplete(files.filter((file) => !file.hasArrived));
  if (damaged) throw new AttachmentError('unreadable', { file: damaged });
  if (files.length !== item.files.length) throw new AttachmentError('unreadable');
  let before = 0;
  for (const file of files) {
    const start = before;
    before += file.bytes;
    if (!file.hasArrived) {
      await uploadFile(file, {
        ...{ calls: ownUpload(file, xsrf), signal, isBroken: wasConnectionBroken(item.failure) },
        // Where the capsule is refused, the draft has it.
        ...(item.account && { draft: item.id }),
        onSent: onSent && ((bytes) => onSent(start + bytes)),
        onArrived: (bytes) => noteSent(item, start + bytes),
        mayGoOn: async () => {
          await onPart?.();
          return true;
        },
      });
    }
    // After the last file the capsule itself confirms it.
    if (before < item.totalBytes) await noteSent(item, before);
  }
}

async function seal(item: OutboxRow, context: UploadContext): Promise<UploadedCapsule> {
  const { xsrf, signal } = context;
  const { recipients } = item.fields;
  const files = await readFiles(item);
  // The person has taken the capsule back, or another sender has it: nothing may leave from here.
  if (!(await markInFlight(item.id))) throw abortedError();
  try {
    const { invitations = [], ...capsule } = await call(createCapsule, {
      headers: { [IDEMPOTENCY_HEADER]: item.id },
      body: {
        ...capsuleOf(item.fields),
        ...zoneOf(item),
        invite: recipients.filter(({ toInvite }) => toInvite).map(inviteeOf),
        uploads: files.map(({ id }) => id),
        ...draftOf(item),
      },
      xsrf,
      signal,
    });
    const nameOf = (address: string) =>
      capsule.recipients?.find(({ email }) => email === address)?.name;
    return {
      capsule,
      recipients: recipients.map((one) => ({ ...one, name: nameOf(one.email) ?? one.name })),
      invitations: invitations.map((one) => ({ ...one, name: nameOf(one.email) ?? one.email })),
    };
  } catch (error) {
    // Nobody else has this key: an app of before has sent the files with it, in another way.
    const isOwnKey = item.account === undefined && item.mayHaveArrived;
    if (isOwnKey && isAnswerOf(error, 'IDEMPOTENCY_KEY_REUSED')) {
      return { capsule: null, recipients, invitations: [] };
    }
    const isFileGone = FILE_GONE.some((code) => isAnswerOf(error, code));
    const delivery = error instanceof CallError ? deliveryOf(error) : 'unknown';
    if (delivery === 'rejected' || isFileGone) await updateItem(item.id, { mayHaveArrived: false });
    if (delivery === 'not-delivered') {
      await updateItem(item.id, { mayHaveArrived: item.mayHaveArrived });
    }
    if (isFileGone) await askForFiles(files, context);
    throw error;
  }
}

/** The server has let go of an upload. */
const FILE_GONE = ['UPLOAD_NOT_FOUND', 'UPLOAD_INCOMPLETE'] as const;

/**
 * What the server lacks is sent again.
 * @throws {AttachmentError} for a file of another device: it has to be added again
 */
async function askForFiles(
  files: readonly Attachment[],
  { xsrf, signal }: UploadContext,
): Promise<void> {
  await forgetArrived(files);
  for (const file of files.filter(({ isElsewhere }) => isElsewhere)) {
    await call(getUpload, { params: { id: file.id }, xsrf, signal }).catch((error: unknown) => {
      if (!isAnswerOf(error, 'UPLOAD_NOT_FOUND')) throw error;
      throw new AttachmentError('unreadable', { file });
    });
  }
}

function inviteeOf({ email, givenName = '' }: ChosenRecipient) {
  return isBlank(givenName) ? { email } : { email, name: givenName };
}

/** What another device has written after these words is not in the capsule, and stays a draft. */
function draftOf({ id, account }: OutboxRow) {
  if (!account) return {};
  return { draft: { id, revision: account.revision, unanswered: account.unanswered?.id } };
}

/** Browsers learn new time zones earlier than servers do; the offset means the same to all. */
function zoneOf({ timeZone, fields }: OutboxRow) {
  return { timeZone, utcOffset: utcOffsetOf(fields.dateToUnlock, timeZone) };
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
