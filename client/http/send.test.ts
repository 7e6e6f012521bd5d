import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sendPart } from '../../shared/api/uploads.ts';
import { STALL_MS } from './deadline.ts';
import { send } from './send.ts';

/** As much of the browser's as `send` uses; a test says what happens on it. */
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
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function sendSomething(signal?: AbortSignal) {
  const body = new Blob(['1234']);
  const params = { id: '00000000-0000-4000-8000-000000000001' };
  const sending = send(sendPart, { params, body, xsrf: 'x', onSent: () => undefined, signal });
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
