import { abortedError, networkError } from './errors.ts';
import { firstSignal } from './first-signal.ts';
import { askServer, noteBetween, untilMayAsk } from './session.ts';

interface HttpRequest {
  address: string;
  method: string;
  headers: Record<string, string>;
  body?: FormData | Blob | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((bytes: number) => void) | undefined;
  /** Ends with NETWORK_ERROR when nothing moves: a dead connection must not hold the queue's lock. */
  endsWhenStalled: boolean;
  /** Only for the end of a session that every other request waits for. */
  skipsGate?: boolean;
}

export interface HttpAnswer {
  status: number;
  json: unknown;
  header: (name: string) => string | null;
}

/** A connection on which nothing moves for this long is dead, whatever the device says. */
export const STALL_MS = 90_000;

/** The slowest upload that is not given up. `fetch` reports no progress, so the limit grows with the body. */
const SLOWEST_BYTES_PER_MS = 1;

/** One request and its answer, whatever its status. @throws {CallError} when no answer came */
export async function exchange(what: HttpRequest): Promise<HttpAnswer> {
  const { address, signal, onProgress, endsWhenStalled, skipsGate, ...init } = what;
  if (onProgress && typeof XMLHttpRequest === 'function') return exchangeByXhr(what, onProgress);
  const stall = new AbortController();
  const stallMs = STALL_MS + sizeOf(init.body) / SLOWEST_BYTES_PER_MS;
  const timer = endsWhenStalled ? setTimeout(() => stall.abort(), stallMs) : undefined;
  const send = skipsGate ? fetch : askServer;
  const request: RequestInit = {
    ...init,
    body: init.body ?? null,
    credentials: 'include',
    // Our server redirects no call.
    redirect: 'manual',
    signal: firstSignal(stall.signal, signal),
  };
  // Whatever fails outside of it is a mistake of ours, and no lost connection.
  const onFailure = () => {
    throw signal?.aborted ? abortedError() : networkError();
  };
  try {
    const answer = await send(address, request).catch(onFailure);
    const text = await answer.text().catch(onFailure);
    const header = (name: string) => answer.headers.get(name);
    const json = parseJson(text);
    if (isSignInPage(answer)) noteBetween(true);
    else if (json !== undefined) noteBetween(false);
    if (answer.type === 'opaqueredirect') throw networkError();
    return { status: answer.status, json, header };
  } finally {
    clearTimeout(timer);
    // The caller's signal may outlive many requests, and need not remember this one.
    stall.abort();
  }
}

function isSignInPage({ type, status, headers }: Response): boolean {
  if (type === 'opaqueredirect') return true;
  const isPage = headers.get('Content-Type')?.startsWith('text/html') ?? false;
  return isPage && (status < 300 || status === 401 || status === 403);
}

function sizeOf(body: FormData | Blob | undefined): number {
  if (!(body instanceof FormData)) return body?.size ?? 0;
  const sizes = Array.from(body.values(), (part) =>
    typeof part === 'string' ? part.length : part.size,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** XMLHttpRequest reports upload progress; fetch does not. */
async function exchangeByXhr(
  { address, method, headers, body, signal }: HttpRequest,
  onProgress: (bytes: number) => void,
): Promise<HttpAnswer> {
  await untilMayAsk().catch(() => Promise.reject(networkError()));
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortedError());
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const stall = () => {
      reject(networkError());
      abort();
    };
    let timer = setTimeout(stall, STALL_MS);
    signal?.addEventListener('abort', abort);
    request.onloadend = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    request.upload.onprogress = ({ loaded }) => {
      clearTimeout(timer);
      timer = setTimeout(stall, STALL_MS);
      onProgress(loaded);
    };
    request.onload = () =>
      resolve({
        status: request.status,
        json: parseJson(request.responseText),
        header: (name) => request.getResponseHeader(name),
      });
    request.onerror = () => reject(networkError());
    request.onabort = () => reject(abortedError());
    request.open(method, address);
    request.withCredentials = true;
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body ?? null);
  });
}

/** Undefined when it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
