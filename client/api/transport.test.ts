import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sendPart } from '../../shared/api/uploads.ts';
import { getMe } from '../../shared/api/user.ts';
import { call } from './client.ts';
import { STALL_MS } from './transport.ts';

/** As much of the browser's as `exchange` uses; a test says what happens on it. */
class Request {
  static last: Request;
  upload: { onprogress?: (event: { loaded: number }) => void } = {};
  status = 0;
  responseText = '';
  withCredentials = false;
  isSent = false;
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  constructor() {
    Request.last = this;
  }
  open() {}
  setRequestHeader() {}
  getResponseHeader() {
    return null;
  }
  send() {
    this.isSent = true;
  }
  abort() {
    this.onabort?.();
    this.onloadend?.();
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', Request);
});
afterEach(() => void vi.useRealTimers());

function sendSomething(signal?: AbortSignal) {
  const bytes = new Blob(['1234']);
  const params = { id: '00000000-0000-4000-8000-000000000001' };
  const sending = call(sendPart, { params, bytes, xsrf: 'x', onProgress: () => undefined, signal });
  return sending.catch((error: { code: string }) => error.code);
}

it('ends a request on which nothing moves, and not one on which something does', async () => {
  const sending = sendSomething();
  await vi.advanceTimersByTimeAsync(0);
  expect(Request.last.isSent).toBe(true);
  let code: unknown;
  void sending.then((given) => {
    code = given;
  });
  await vi.advanceTimersByTimeAsync(STALL_MS - 1);
  Request.last.upload.onprogress?.({ loaded: 1 });
  await vi.advanceTimersByTimeAsync(STALL_MS - 1);
  expect(code).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(code).toBe('NETWORK_ERROR');
});

it('tells the end that its caller wanted from a line that is dead', async () => {
  const stopped = new AbortController();
  const sending = sendSomething(stopped.signal);
  await vi.advanceTimersByTimeAsync(0);
  stopped.abort();
  expect(await sending).toBe('REQUEST_ABORTED');
  expect(await sendSomething(stopped.signal)).toBe('REQUEST_ABORTED');
});

it('gives up what nobody answers, later when there is a body to be sent', async () => {
  vi.unstubAllGlobals();
  vi.stubGlobal(
    'fetch',
    (_address: string, { signal }: RequestInit) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  );
  const params = { id: '00000000-0000-4000-8000-000000000001' };
  const ended: string[] = [];
  const ask = (name: string, bytes: Blob) =>
    call(sendPart, { params, bytes, xsrf: 'x' }).catch(({ code }) => ended.push(`${name} ${code}`));
  const asked = [ask('small', new Blob()), ask('large', new Blob(['x'.repeat(10_000)]))];
  await vi.advanceTimersByTimeAsync(STALL_MS);
  expect(ended).toEqual(['small NETWORK_ERROR']);
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all(asked);
  expect(ended).toEqual(['small NETWORK_ERROR', 'large NETWORK_ERROR']);
});

it('a mistake in our code is no lost connection', async () => {
  const fetched = vi.fn(async () => Response.json({}));
  vi.stubGlobal('fetch', fetched);
  // What this browser lacks, for example.
  const broken = call(getMe, { signal: {} as AbortSignal });
  await expect(broken).rejects.toBeInstanceOf(TypeError);
  expect(fetched).not.toHaveBeenCalled();
});
