import { useEffect, useMemo, useState } from 'react';
import { type CapsuleType, deleteCapsule } from '../../shared/api/capsules.ts';
import { call } from '../http/call.ts';
import { isAnswerOf, isConnectionError } from '../http/call-error.ts';
import { forgetCapsule, readCapsule } from '../local/capsules.ts';
import type { CapsuleRow } from '../local/db.ts';
import { type CachedPage, readList } from '../local/lists.ts';
import { refreshCapsule, refreshList } from '../sync/refresh.ts';
import { type Kept, useKept } from './use-kept.ts';
import { useLocal } from './use-local.ts';
import { useOnline } from './use-online.ts';

/** After a start without a network the cards come first. */
const SETTLED_MS = 1_000;

/** One page of a list. Where nothing gets through, a search looks through what the device keeps. */
export function useCapsuleList(
  owner: string | null,
  type: CapsuleType,
  query: string,
  page: number,
): Kept<CachedPage> {
  const online = useOnline();
  const source = useMemo(() => {
    if (owner === null) return null;
    const key = { owner, type, query, page };
    return {
      key,
      read: () => readList(key),
      refresh: (signal: AbortSignal) => refreshList(key, signal),
    };
  }, [owner, type, query, page]);
  const kept = useKept(source);
  // A device that is connected to something may still reach nobody.
  const isCutOff = query !== '' && (!online || isConnectionError(kept.error));
  const searching = useSearching(isCutOff || !online);
  usePreparedSearch(searching, owner, online);
  const search = useLocal(
    async () => {
      const isAsked = searching && source && isCutOff;
      return { source, value: isAsked ? await searching.searchKept(source.key) : null };
    },
    [searching, source, isCutOff],
    { source, value: null },
  );
  if (!isCutOff || kept.value) return kept;
  const found = search?.source === source ? search.value : null;
  return { ...kept, value: found, isRead: found !== null };
}

/** Without a network a search comes to this device: it gets ready when there is nothing else to do. */
function usePreparedSearch(
  searching: Searching | null,
  owner: string | null,
  online: boolean,
): void {
  useEffect(() => {
    if (online || owner === null || !searching) return;
    const prepare = () => searching.prepareSearch(owner).catch(() => undefined);
    const timer = setTimeout(prepare, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [searching, owner, online]);
}

type Searching = typeof import('../local/kept-search.ts');

/** With a connection the server searches, and this part of the app need not come. */
function useSearching(isWanted: boolean): Searching | null {
  const [searching, setSearching] = useState<Searching | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    // Where no worker keeps the app it does not come without a network; the list then says so.
    import('../local/kept-search.ts').then(setSearching, () => undefined);
  }, [isWanted]);
  return searching;
}

/** One capsule; null `id` shows none. */
export function useCapsule(owner: string | null, id: string | null): Kept<CapsuleRow> {
  const source = useMemo(() => {
    if (owner === null || id === null) return null;
    return {
      read: () => readCapsule(owner, id),
      refresh: (signal: AbortSignal) => refreshCapsule(owner, id, signal),
    };
  }, [owner, id]);
  return useKept(source);
}

/** Deletes a capsule for everyone, then here. */
export async function eraseCapsule(owner: string, id: string): Promise<void> {
  try {
    await call(deleteCapsule, { params: { id } });
  } catch (error) {
    // Deleted before, by another device or tab: that is what is wanted.
    if (!isAnswerOf(error, 'CAPSULE_NOT_FOUND')) throw error;
  }
  await forgetCapsule(owner, id);
}
