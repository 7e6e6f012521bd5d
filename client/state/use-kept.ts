import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isAborted } from '../http/call-error.ts';
import { useLocal } from './use-local.ts';

/** Something the device keeps and the server knows better. Make it with useMemo: a new one starts over. */
export interface Source<Value> {
  /** What is known of it without asking the device; shown until the device has answered. */
  peek?: () => Value | null;
  read: () => Promise<Value | null>;
  /** What the server said, where the device had no room for it; null when it is read from there. */
  refresh: (signal: AbortSignal) => Promise<Value | null>;
}

export interface Kept<Value> {
  /** What the device has; null when it has nothing (yet). */
  value: Value | null;
  /** It is known what the device has: a null value means that it keeps none. */
  isRead: boolean;
  /** What the server knows is on its way. */
  isRefreshing: boolean;
  /** Why the last refresh failed. */
  error: unknown;
  refresh: () => Promise<void>;
}

/** A page that comes back into sight after this long asks again. */
const STALE_AFTER_MS = 30_000;

/** Time to draw what is known; and whoever leafs on meanwhile asks for nothing in between. */
export const AFTER_PICTURE_MS = 300;

interface Progress<Value> {
  source: Source<Value> | null;
  isRefreshing: boolean;
  error: unknown;
  /** Shown as long as this page stands, because the device could not keep it. */
  unkept: Value | null;
}

/** Shows what the device keeps at once, and brings it up to date: now, back online, back in sight. */
export function useKept<Value>(source: Source<Value> | null): Kept<Value> {
  const live = useLocal(
    async () => ({ source, value: source ? await source.read() : null }),
    [source],
    { source, value: null },
  );
  const [progress, setProgress] = useState<Progress<Value>>({
    source: null,
    isRefreshing: false,
    error: null,
    unkept: null,
  });
  const running = useRef<AbortController | null>(null);

  const refresh = useCallback(async () => {
    if (!source) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    // The first refresh of a source counts as begun before it has.
    setProgress((before) =>
      before.source === source ? { ...before, isRefreshing: true } : before,
    );
    let failure: unknown = null;
    let unkept: Value | null = null;
    try {
      unkept = await source.refresh(controller.signal);
    } catch (error) {
      if (isAborted(error)) return;
      failure = error;
    }
    if (running.current === controller) {
      setProgress({ source, isRefreshing: false, error: failure, unkept });
    }
  }, [source]);

  const seen = useMemo(() => source?.peek?.() ?? null, [source]);

  useEffect(() => {
    // What is on the screen already, or cannot come, does not hold up the first picture.
    let first: ReturnType<typeof setTimeout> | undefined;
    if (seen === null && navigator.onLine) void refresh();
    else first = setTimeout(() => void refresh(), AFTER_PICTURE_MS);
    let since = Date.now();
    const again = () => {
      since = Date.now();
      void refresh();
    };
    const seenAgain = () => {
      if (document.visibilityState === 'visible' && Date.now() - since > STALE_AFTER_MS) again();
    };
    window.addEventListener('online', again);
    document.addEventListener('visibilitychange', seenAgain);
    // Two windows side by side are both in sight; this is the one that is used now.
    window.addEventListener('focus', seenAgain);
    return () => {
      clearTimeout(first);
      window.removeEventListener('online', again);
      document.removeEventListener('visibilitychange', seenAgain);
      window.removeEventListener('focus', seenAgain);
      running.current?.abort();
    };
  }, [refresh, seen]);

  const isAnswered = live !== undefined && live.source === source && source !== null;
  const isRead = isAnswered || seen !== null;
  const current = progress.source === source;
  const value = (current ? progress.unkept : null) ?? (isAnswered ? live.value : seen);
  // What a refresh has brought reaches this hook by way of the device, a moment after its end.
  const isArriving = value === null && progress.error === null;
  // Before the effect has run the refresh is as good as begun.
  const isRefreshing = source !== null && (!current || progress.isRefreshing || isArriving);
  const error = current ? progress.error : null;
  return useMemo(
    () => ({ value, isRead, isRefreshing, error, refresh }),
    [value, isRead, isRefreshing, error, refresh],
  );
}
