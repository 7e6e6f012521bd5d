/**
 * Aborted as soon as one of them is, and listens until then. In place of `AbortSignal.any`, which
 * browsers that we name lack (docs/known-limits.md).
 */
export function firstSignal(...signals: (AbortSignal | undefined)[]): AbortSignal {
  const first = new AbortController();
  for (const signal of signals) {
    const abort = () => first.abort(signal?.reason);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true, signal: first.signal });
  }
  return first.signal;
}
