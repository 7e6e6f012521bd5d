import { useLiveQuery } from 'dexie-react-hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isAborted } from '../api/errors.ts';
import { type Cached, readResponse, revalidate } from '../db/cache.ts';
import type { CachedBody } from '../db/tables.ts';
import { useUserId } from './use-user-id.ts';

/** An answer of the server: first as this device has cached it, then as the server sends it. */
export interface Resource<Body> {
  /** Null while there is nothing to show. */
  data: Body | null;
  /** When `data` was fetched, in milliseconds by this device's clock. */
  fetchedAt: number;
  /** There is nothing to show yet, and the cache or the server has not answered. */
  isLoading: boolean;
  /** A newer answer may be on its way to `data`. */
  isRefreshing: boolean;
  /** Why the last attempt to fetch it failed. */
  error: unknown;
  /** Fetches it again; never throws. */
  refresh: () => Promise<void>;
}

/**
 * Shows a cached answer at once and asks the server for a new one: now, back online, and when
 * the page comes back into sight.
 * @param key names the cached answer; null asks for nothing
 */
export function useResource<Body extends CachedBody>(
  key: string | null,
  fetch: (signal: AbortSignal) => Promise<Body>,
  read: () => Promise<Cached<Body> | null> = async () => (key === null ? null : readResponse(key)),
): Resource<Body> {
  const userId = useUserId();
  const { uncached, isAsking, askedAt, error, refresh } = useRefreshing(
    key,
    userId,
    async (signal) => (key === null ? null : revalidate(key, () => fetch(signal))),
  );
  // Undefined until the device has been read: a null of before would say that it has nothing.
  const cached = useLiveQuery(async () => (userId === null ? undefined : read()), [key, userId]);
  const shown = key === null ? null : newer(uncached, cached);
  const data = shown?.body ?? null;
  const fetchedAt = shown?.fetchedAt ?? 0;
  const isReading = userId !== null && cached === undefined;
  const isLoading = data === null && (isReading || isAsking || error === null);
  // An answer is stored first and read a moment later.
  const isRefreshing = isAsking || (error === null && fetchedAt < askedAt);
  return { data, fetchedAt, isLoading, isRefreshing, error, refresh };
}

function newer<Body>(uncached: Cached<Body> | null, cached: Cached<Body> | null | undefined) {
  if (!uncached || !cached) return uncached ?? cached;
  return cached.fetchedAt < uncached.fetchedAt ? uncached : cached;
}

/** Until the person's database is open, nothing is read or fetched. */
export function useKey(key: string): string | null {
  return useUserId() === null ? null : key;
}

/** An app that comes back into sight after this long asks the server again. */
export const STALE_AFTER_MS = 30_000;

interface Progress<Body> {
  key: string | null;
  isAsking: boolean;
  /** When the server was asked last, and has answered. */
  askedAt: number;
  error: unknown;
  /** The answer, when the device had no room to cache it. */
  uncached: Cached<Body> | null;
}

interface Refreshing<Body> extends Omit<Progress<Body>, 'key'> {
  refresh: () => Promise<void>;
}

/**
 * @param userId asks again when it changes: only an open database can cache the answer
 * @param load fetches and caches; see `revalidate` of db/cache.ts for what it returns
 */
function useRefreshing<Body>(
  key: string | null,
  userId: string | null,
  load: (signal: AbortSignal) => Promise<Cached<Body> | null>,
): Refreshing<Body> {
  const initial = { key, isAsking: true, askedAt: 0, error: null, uncached: null };
  const [progress, setProgress] = useState<Progress<Body>>(initial);
  const running = useRef<AbortController | null>(null);
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });

  const refresh = useCallback(async () => {
    if (key === null) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setProgress((before) => (before.key === key ? { ...before, isAsking: true } : before));
    const askedAt = Date.now();
    const settle = (error: unknown, uncached: Cached<Body> | null) => {
      if (running.current !== controller) return;
      setProgress((before) => {
        // It is shown until the next answer has come from the cache, or a form would be cleared away.
        const shown = before.key === key ? before.uncached : null;
        return { key, isAsking: false, askedAt, error, uncached: uncached ?? shown };
      });
    };
    try {
      settle(null, await latest.current(controller.signal));
    } catch (error) {
      if (!isAborted(error)) settle(error, null);
    }
  }, [key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it asks again for another `userId`.
  useEffect(() => {
    let askedAt = 0;
    const ask = () => {
      askedAt = Date.now();
      void refresh();
    };
    const askIfStale = () => {
      const isVisible = document.visibilityState === 'visible';
      if (isVisible && Date.now() - askedAt > STALE_AFTER_MS) ask();
    };
    ask();
    window.addEventListener('online', ask);
    document.addEventListener('visibilitychange', askIfStale);
    // Two windows side by side are both visible, so only the focus tells which one is used.
    window.addEventListener('focus', askIfStale);
    return () => {
      window.removeEventListener('online', ask);
      document.removeEventListener('visibilitychange', askIfStale);
      window.removeEventListener('focus', askIfStale);
      running.current?.abort();
    };
  }, [refresh, userId]);

  return { ...(progress.key === key ? progress : initial), refresh };
}
