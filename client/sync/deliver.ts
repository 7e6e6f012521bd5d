import { type Capsule, createCapsule, type NewCapsuleInput } from '../../shared/api/capsules.ts';
import { abandonUpload, getUpload, sendPart, startUpload } from '../../shared/api/uploads.ts';
import {
  CONTENT_DIGEST_HEADER,
  IDEMPOTENCY_HEADER,
  MEGABYTE,
  UPLOAD_OFFSET_HEADER,
} from '../../shared/limits.ts';
import { CallError } from '../http/call-error.ts';
import type { Identity } from '../http/identify.ts';
import { send } from '../http/send.ts';
import { db, type KeptFileRow, type OutboxRow } from '../local/db.ts';
import { KeepFileError, readChunk, readFiles, readWhole } from '../local/kept-files.ts';
import { updateItem } from '../local/outbox.ts';
import { isDecided } from './outcome.ts';

/** Up to here a capsule goes in one body; above, a cut would cost too much. */
const ONE_BODY_BYTES = 16 * MEGABYTE;

export interface DeliverContext {
  identity: Identity;
  signal: AbortSignal | undefined;
  /** Bytes of the files that have left so far; absent in a worker, which cannot tell. */
  onSent?: ((bytes: number) => void) | undefined;
}

/**
 * Sends one queued capsule. Small ones go in the documented body, large ones and those that
 * failed before go part by part, from where the server says they stopped.
 * @returns the capsule as the server made it, now or by an earlier try with the same key
 * @throws {CallError} {KeepFileError}
 */
export async function deliver(item: OutboxRow, context: DeliverContext): Promise<Capsule> {
  const files = await readFiles(item.owner, item.id);
  if (files.length !== item.fileCount || files.some((file) => !file.complete)) {
    throw new KeepFileError('unreadable');
  }
  const failedBefore = item.attempts > 0 || files.some((file) => file.announced);
  const inParts = files.length > 0 && (item.totalBytes > ONE_BODY_BYTES || failedBefore);
  if (!inParts) return seal(item, files, false, context);
  if (item.mayHaveArrived && item.inParts) {
    const arrived = await askWhetherArrived(item, files, context);
    if (arrived) return arrived;
  }
  let before = 0;
  for (const file of files) {
    await sendFile(item, file, before, context);
    before += file.bytes;
  }
  const capsule = await seal(item, files, true, context);
  // An earlier send had carried the files itself: the server needs them no second time.
  if (item.mayHaveArrived && !item.inParts) await abandonAll(files, context);
  return capsule;
}

/** The same creation again, naming uploads that the capsule has taken over if it was made. */
async function askWhetherArrived(
  item: OutboxRow,
  files: KeptFileRow[],
  context: DeliverContext,
): Promise<Capsule | null> {
  try {
    return await seal(item, files, true, context);
  } catch (error) {
    const isMissing =
      error instanceof CallError &&
      (error.code === 'UPLOAD_NOT_FOUND' || error.code === 'UPLOAD_INCOMPLETE');
    if (isMissing) return null;
    throw error;
  }
}

async function abandonAll(
  files: KeptFileRow[],
  { identity, signal }: DeliverContext,
): Promise<void> {
  for (const { id } of files) {
    // Those that the capsule took over are gone; the rest would be swept in a week.
    await send(abandonUpload, { params: { id }, xsrf: identity.xsrf, signal }).catch(() => null);
  }
}

async function seal(
  item: OutboxRow,
  files: KeptFileRow[],
  inParts: boolean,
  { identity, signal, onSent }: DeliverContext,
): Promise<Capsule> {
  const { json = 'capsule', files: part } = createCapsule.multipart ?? { files: 'files' };
  const capsule: NewCapsuleInput = {
    ...fieldsOf(item),
    uploads: inParts ? files.map((file) => file.id) : [],
  };
  const body = new FormData();
  // First, so that the server can refuse before it takes any file.
  body.append(json, new Blob([JSON.stringify(capsule)], { type: 'application/json' }));
  if (!inParts) for (const file of files) body.append(part, await readWhole(file), file.name);
  // From here on no answer does not mean no capsule; noted before the first byte leaves.
  await updateItem(item, { mayHaveArrived: true, inParts });
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
    const decided = error instanceof CallError && isDecided(error);
    if (decided) await updateItem(item, { mayHaveArrived: false });
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
  await db.files.update([file.owner, file.id], { announced: true });
  const announcement = JSON.stringify({ fileName: file.name, bytes: file.bytes });
  let { offset, complete } = await send(startUpload, {
    params,
    body: new Blob([announcement], { type: 'application/json' }),
    xsrf,
    signal,
  });
  while (!complete) {
    const { bytes, digest } = await readChunk(file, offset);
    const start = before + offset;
    try {
      ({ offset, complete } = await send(sendPart, {
        params,
        headers: {
          [UPLOAD_OFFSET_HEADER]: String(offset),
          ...(digest ? { [CONTENT_DIGEST_HEADER]: `sha-256=:${base64(digest)}:` } : {}),
        },
        body: bytes,
        xsrf,
        signal,
        ...(onSent
          ? { onSent: (sent: number) => onSent(start + Math.min(sent, bytes.byteLength)) }
          : {}),
      }));
    } catch (error) {
      // An earlier answer was lost: the server knows how far it has come.
      if (!(error instanceof CallError) || error.code !== 'UPLOAD_OFFSET_WRONG') throw error;
      const state = await send(getUpload, { params, xsrf, signal });
      if (state.offset <= offset && !state.complete) throw error;
      ({ offset, complete } = state);
    }
    await noteSent(item, file, offset, before + offset);
  }
}

async function noteSent(
  item: OutboxRow,
  file: KeptFileRow,
  fileBytes: number,
  itemBytes: number,
): Promise<void> {
  await db.files.update([file.owner, file.id], { sentBytes: fileBytes });
  await updateItem(item, { sentBytes: itemBytes });
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
