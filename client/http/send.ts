import type { Endpoint, ResponseOf } from '../../shared/api/endpoint.ts';
import { XSRF_HEADER } from '../../shared/limits.ts';
import { addressOf } from './address.ts';
import { parseJson, readAnswer } from './answer.ts';
import { abortedError, failedAnswer, networkError } from './call-error.ts';
import { bytesOf, STALL_MS, withDeadline } from './deadline.ts';
import { askServer, mayAskServer } from './session-gate.ts';

/** A request of the queue, from a page or from the service worker. */
export interface SendOptions {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  headers?: Record<string, string>;
  body?: FormData | Blob | undefined;
  /**
   * The XSRF token that came with the person's own `/user/me`. It fits their session only,
   * so when somebody else has signed in meanwhile the server refuses what is sent.
   */
  xsrf: string;
  /** Bytes of the body that have left; pages only, for a worker cannot tell. */
  onSent?: (bytes: number) => void;
  signal?: AbortSignal | undefined;
}

interface RawAnswer {
  status: number;
  text: string;
  retryAfter: string | null;
}

/** @throws {CallError} */
export async function send<E extends Endpoint>(
  endpoint: E,
  options: SendOptions,
): Promise<ResponseOf<E>> {
  const { status, text, retryAfter } =
    options.onSent && typeof XMLHttpRequest === 'function'
      ? await sendWithProgress(endpoint, options, options.onSent)
      : await sendPlain(endpoint, options);
  const json = parseJson(text);
  if (status < 200 || status > 299) throw failedAnswer(status, json, retryAfter);
  return readAnswer(endpoint, status, json);
}

function headersOf(endpoint: Endpoint, { headers, xsrf }: SendOptions): Record<string, string> {
  return {
    Accept: 'application/json',
    [XSRF_HEADER]: xsrf,
    ...(endpoint.bytes ? { 'Content-Type': endpoint.bytes } : {}),
    ...headers,
  };
}

async function sendPlain(endpoint: Endpoint, options: SendOptions): Promise<RawAnswer> {
  const { params, query, body, signal } = options;
  const deadline = withDeadline(signal, bytesOf(body));
  try {
    const answer = await askServer(addressOf(endpoint, { params, query }), {
      method: endpoint.method,
      headers: headersOf(endpoint, options),
      credentials: 'include',
      ...(body === undefined ? {} : { body }),
      signal: deadline.signal,
    });
    const text = await answer.text();
    return { status: answer.status, text, retryAfter: answer.headers.get('Retry-After') };
  } catch {
    throw signal?.aborted ? abortedError() : networkError();
  } finally {
    deadline.stop();
  }
}

function watchForStall(onStall: () => void) {
  let timer = setTimeout(onStall, STALL_MS);
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    timer = setTimeout(onStall, STALL_MS);
  };
  return { stop, restart };
}

/** By XMLHttpRequest, because fetch tells nothing of how many bytes have left. */
async function sendWithProgress(
  endpoint: Endpoint,
  options: SendOptions,
  onSent: (bytes: number) => void,
): Promise<RawAnswer> {
  const { params, body, signal } = options;
  await mayAskServer().catch(() => Promise.reject(networkError()));
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortedError());
      return;
    }
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const watch = watchForStall(() => {
      reject(networkError());
      request.abort();
    });
    signal?.addEventListener('abort', abort);
    request.onloadend = () => {
      watch.stop();
      signal?.removeEventListener('abort', abort);
    };
    request.upload.onprogress = ({ loaded }) => {
      watch.restart();
      onSent(loaded);
    };
    request.onload = () =>
      resolve({
        status: request.status,
        text: request.responseText,
        retryAfter: request.getResponseHeader('Retry-After'),
      });
    request.onerror = () => reject(networkError());
    request.onabort = () => reject(abortedError());
    request.open(endpoint.method, addressOf(endpoint, { params }));
    request.withCredentials = true;
    for (const [name, value] of Object.entries(headersOf(endpoint, options))) {
      request.setRequestHeader(name, value);
    }
    request.send(body ?? null);
  });
}
