import { type Capsule, createCapsule, type NewCapsuleInput } from '../../shared/api/capsules.ts';
import { IDEMPOTENCY_HEADER } from '../../shared/limits.ts';
import { parseJson, readAnswer } from './answer.ts';
import { noteUnauthorized } from './call.ts';
import { abortedError, CallError, failedAnswer, networkError } from './call-error.ts';
import { isStaleXsrf, xsrfHeaders } from './xsrf.ts';

export interface CapsuleUpload {
  capsule: NewCapsuleInput;
  files: readonly File[];
  /** A UUID: a repeat with the same one gives the first capsule instead of another. */
  idempotencyKey: string;
  /** Whole percent of the bytes that have left, 0 to 100. */
  onProgress: (percent: number) => void;
  signal?: AbortSignal;
}

/**
 * Sends a capsule with its files. By XMLHttpRequest, because fetch tells nothing of
 * how many bytes have left.
 * @throws {CallError}
 */
export async function uploadCapsule(upload: CapsuleUpload): Promise<Capsule> {
  try {
    return await uploadOnce(upload);
  } catch (error) {
    if (error instanceof CallError && isStaleXsrf(error)) return uploadOnce(upload);
    throw error;
  }
}

async function uploadOnce(upload: CapsuleUpload): Promise<Capsule> {
  const answer = await send(upload);
  const json = parseJson(answer.responseText);
  if (answer.status < 200 || answer.status > 299) {
    const error = failedAnswer(answer.status, json, answer.getResponseHeader('Retry-After'));
    noteUnauthorized(createCapsule, error);
    throw error;
  }
  return readAnswer(createCapsule, answer.status, json);
}

function send({ capsule, files, idempotencyKey, onProgress, signal }: CapsuleUpload) {
  return new Promise<XMLHttpRequest>((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortedError());
      return;
    }
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const settle = (then: () => void) => () => {
      signal?.removeEventListener('abort', abort);
      then();
    };
    signal?.addEventListener('abort', abort);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(Math.round((loaded / total) * 100));
    };
    request.onload = settle(() => resolve(request));
    request.onerror = settle(() => reject(networkError()));
    request.onabort = settle(() => reject(abortedError()));
    request.open(createCapsule.method, createCapsule.path);
    request.withCredentials = true;
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader(IDEMPOTENCY_HEADER, idempotencyKey);
    for (const [name, value] of Object.entries(xsrfHeaders(createCapsule.method))) {
      request.setRequestHeader(name, value);
    }
    request.send(formOf(capsule, files));
  });
}

/** The JSON part first, so that the server can refuse before it takes any file. */
function formOf(capsule: NewCapsuleInput, files: readonly File[]): FormData {
  const form = new FormData();
  const { json = 'capsule', files: part } = createCapsule.multipart ?? { files: 'files' };
  form.append(json, new Blob([JSON.stringify(capsule)], { type: 'application/json' }));
  for (const file of files) form.append(part, file, file.name);
  return form;
}
