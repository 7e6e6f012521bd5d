import type { BodyOf } from '../../shared/api/endpoint.ts';
import { getUpload, sendPart, startUpload, type UploadState } from '../../shared/api/uploads.ts';
import { UPLOAD_CHUNK_BYTES, UPLOAD_OFFSET_HEADER } from '../../shared/limits.ts';
import { call } from '../api/client.ts';
import { abortedError, CallError } from '../api/errors.ts';
import { markAnnounced, noteArrived } from '../db/attachments.ts';
import { readPart } from '../db/chunks.ts';
import type { Attachment } from '../db/tables.ts';
import { isPauseWanted } from './locks.ts';

/**
 * Upload parts have 4 MiB. An upload that was cut off starts at 256 kB and doubles with each part that arrives,
 * because a cut loses the part under way.
 */
const PART_MAX_BYTES = UPLOAD_CHUNK_BYTES;
const PART_MIN_BYTES = 262_144;

/** What every call of an upload takes. */
interface PartOptions {
  signal: AbortSignal;
  headers?: Record<string, string>;
  bytes?: Blob;
  onProgress?: ((bytes: number) => void) | undefined;
}

/** The calls by which one file is sent. */
export interface UploadCalls {
  start: (body: BodyOf<typeof startUpload>, options: PartOptions) => Promise<UploadState>;
  get: (options: PartOptions) => Promise<UploadState>;
  send: (options: PartOptions) => Promise<UploadState>;
}

/** Of the signed-in person's own upload. */
export function ownUpload({ id }: Pick<Attachment, 'id'>, xsrf: string): UploadCalls {
  const params = { id };
  return {
    start: (body, options) => call(startUpload, { ...options, params, body, xsrf }),
    get: (options) => call(getUpload, { ...options, params, xsrf }),
    send: (options) => call(sendPart, { ...options, params, xsrf }),
  };
}

interface UploadOptions {
  calls: UploadCalls;
  signal: AbortSignal;
  /** The draft of the account that it is for. */
  draft?: string;
  /** It was cut off, if it was begun before: true unless its last failure is known to be another one. */
  isBroken?: boolean;
  /** Bytes of the file that have left; absent in a worker, which cannot tell. */
  onSent?: ((bytes: number) => void) | undefined;
  /** Bytes that have arrived, except the last ones. */
  onArrived?: (bytes: number) => Promise<void>;
  /** Asked after each part; otherwise the upload goes on from there another time. */
  mayGoOn?: () => Promise<boolean>;
}

/** Sends a file in resumable parts, from where it was cut off. @throws {CallError} {AttachmentError} */
export async function uploadFile(
  file: Attachment,
  { calls, signal, draft, isBroken = true, onSent, onArrived, mayGoOn }: UploadOptions,
): Promise<void> {
  await markAnnounced(file.id);
  const body = { fileName: file.name, bytes: file.bytes, draft };
  let { offset, complete } = await calls.start(body, { signal });
  let mostBytes = PART_MAX_BYTES;
  let partBytes = file.announced && isBroken ? PART_MIN_BYTES : PART_MAX_BYTES;
  let noted = onArrived?.(offset);
  while (!complete) {
    const bytes = await readPart(file, offset, partBytes);
    const start = offset;
    try {
      ({ offset, complete } = await calls.send({
        headers: { [UPLOAD_OFFSET_HEADER]: String(offset) },
        bytes,
        signal,
        // Always: a page then sends by XMLHttpRequest, which notices a dead line sooner than fetch.
        onProgress: (sent) => onSent?.(start + Math.min(sent, bytes.size)),
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
      // An earlier answer was lost: the server knows how far it has come.
      if (error.code !== 'UPLOAD_OFFSET_WRONG') throw error;
      const state = await calls.get({ signal });
      if (state.offset <= offset && !state.complete) throw error;
      ({ offset, complete } = state);
    }
    await noted;
    if (complete) break;
    noted = onArrived?.(offset);
    // The upload goes on from this offset later, perhaps in a new version of the app.
    if ((await isPauseWanted()) || (mayGoOn && !(await mayGoOn()))) {
      await noted;
      throw abortedError();
    }
  }
  await noteArrived(file.id);
}

function isBodyTooLarge({ status, code }: CallError): boolean {
  return status === 413 && (code === 'UNEXPECTED_ANSWER' || code === 'PAYLOAD_TOO_LARGE');
}
