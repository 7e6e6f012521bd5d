import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect } from 'react';
import { isConnectionError } from '../api/errors.ts';
import { type Cached, forgetUnreadable, readResponse, revalidate } from '../db/cache.ts';
import type { CachedBody } from '../db/tables.ts';
import { type Shown, STALE_AFTER_MS, useQuery } from './use-query.ts';
import { useUserId } from './use-user-id.ts';

/** An answer of the server: first as this device has cached it, then as the server sends it. */
export interface Resource<Body> extends Shown<Body> {
  /** When `data` was fetched, in milliseconds by this device's clock. */
  fetchedAt: number;
  /** There is nothing to show yet, and the cache or the server has not answered. */
  isLoading: boolean;
}

/**
 * Shows a cached answer at once and asks the server for a new one. Only an open database can cache it,
 * so it is asked again once there is one.
 * @param key names the cached answer; null asks for nothing
 */
export function useResource<Body extends CachedBody>(
  key: string | null,
  fetch: (signal: AbortSignal) => Promise<Body>,
  read: () => Promise<Cached<Body> | null> = async () => (key === null ? null : readResponse(key)),
): Resource<Body> {
  const userId = useUserId();
  // Its data are what this device could not cache. They are shown until a newer answer has come from the
  // cache, or a form would be cleared away.
  const asked = useQuery(
    key,
    async (signal) => (key === null ? null : revalidate(key, () => fetch(signal))),
    userId,
  );
  // Undefined until the device has been read: a null of before would say that it has nothing.
  const readCached = async () => (userId === null ? undefined : read().catch(forgetUnreadable));
  const cached = useLiveQuery(readCached, [key, userId]);
  const shown = key === null ? null : newer(asked.data, cached);
  const data = shown?.body ?? null;
  const fetchedAt = shown?.fetchedAt ?? 0;
  const { error, refresh } = asked;
  const isCutOff = data !== null && isConnectionError(error);
  useEffect(() => {
    if (!isCutOff) return;
    // No event tells that the server is back.
    const timer = setInterval(() => {
      if (navigator.onLine && document.visibilityState === 'visible') void refresh();
    }, STALE_AFTER_MS);
    return () => clearInterval(timer);
  }, [isCutOff, refresh]);
  const isReading = userId !== null && cached === undefined;
  const isLoading = data === null && (isReading || asked.isRefreshing || error === null);
  // An answer is stored first and read a moment later.
  const isRefreshing = asked.isRefreshing || (error === null && fetchedAt < asked.askedAt);
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
