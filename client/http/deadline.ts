/** A connection on which nothing moves for this long is dead, whatever the device says. */
export const STALL_MS = 90_000;

/** Whoever signs out, and every call that waits for that, waits for the server at most this long. */
export const FAREWELL_MS = 20_000;

/** The slowest line that a body is waited for, in bytes a millisecond; fetch cannot tell how far it has come. */
const SLOWEST = 1;

/**
 * Ends a request for which nobody answers: it would hold the queue's lock without end.
 * @param bytes of its body
 * @returns a signal that also ends with `signal`, and what lets go of both
 */
export function withDeadline(signal: AbortSignal | undefined, bytes: number) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, STALL_MS + bytes / SLOWEST);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort);
  const stop = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, stop };
}

/** Of a body, in bytes; of a form, what its values have. */
export function bytesOf(body: FormData | Blob | undefined): number {
  if (body === undefined) return 0;
  if (body instanceof Blob) return body.size;
  let bytes = 0;
  for (const value of body.values()) bytes += typeof value === 'string' ? value.length : value.size;
  return bytes;
}
