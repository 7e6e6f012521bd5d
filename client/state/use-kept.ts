import { useCallback, useEffect, useRef, useState } from 'react';
import { isAborted } from '../http/call-error.ts';
import { useLocal } from './use-local.ts';

/** Something the device keeps and the server knows better. Make it with useMemo: a new one starts over. */
export interface Source<Value> {
  read: () => Promise<Value | null>;
  /** What the server said, where the device had no room for it; null when it is read from there. */
  refresh: (signal: AbortSignal) => Promise<Value | null>;
}

export interface Kept<Value> {
  /** What the device has; null when it has nothing (yet). */
  value: Value | null;
  /** The device has been asked: a null value means that it keeps none. */
  isRead: boolean;
  /** What the server knows is on its way. */
  isRefreshing: boolean;
  /** Why the last refresh failed. */
  error: unknown;
  refresh: () => Promise<void>;
}

/** A page that comes back into sight after this long asks again. */
const STALE_AFTER_MS = 30_000;

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
    setProgress((before) => ({
      source,
      isRefreshing: true,
      error: before.source === source ? before.error : null,
      unkept: before.source === source ? before.unkept : null,
    }));
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

  useEffect(() => {
    void refresh();
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
      window.removeEventListener('online', again);
      document.removeEventListener('visibilitychange', seenAgain);
      window.removeEventListener('focus', seenAgain);
      running.current?.abort();
    };
  }, [refresh]);

  const isRead = live !== undefined && live.source === source && source !== null;
  const current = progress.source === source;
  const value = (current ? progress.unkept : null) ?? (isRead ? live.value : null);
  // What a refresh has brought reaches this hook by way of the device, a moment after its end.
  const isArriving = value === null && progress.error === null;
  return {
    value,
    isRead,
    // Before the effect has run the refresh is as good as begun.
    isRefreshing: source !== null && (!current || progress.isRefreshing || isArriving),
    error: current ? progress.error : null,
    refresh,
  };
}
