import { useEffect, useMemo, useState } from 'react';
import { type CapsuleType, deleteCapsule } from '../../shared/api/capsules.ts';
import { call } from '../http/call.ts';
import { isAnswerOf, isConnectionError } from '../http/call-error.ts';
import { forgetCapsule, readCapsule } from '../local/capsules.ts';
import { type CapsuleRow, db } from '../local/db.ts';
import { type ListKey, peekList, readList } from '../local/lists.ts';
import { readOwner } from '../local/owner.ts';
import { type CachedPage, peekCapsule } from '../local/page-memory.ts';
import './device.ts';
import { refreshCapsule, refreshList } from '../sync/refresh.ts';
import { type Kept, useKept } from './use-kept.ts';
import { useLocal } from './use-local.ts';
import { useOnline } from './use-online.ts';

/** What may be wanted next comes after what is wanted now. */
const SETTLED_MS = 300;

/** Which page of each list, of which search. */
type Pages = Record<CapsuleType, Pick<ListKey, 'query' | 'page'>>;

/** Reads whose the device is and pages of both lists, so that the first picture has them. Never throws. */
export async function prepareLists(pages: Pages): Promise<void> {
  try {
    await db.transaction('r', db.meta, db.lists, db.capsules, async () => {
      const owner = await readOwner();
      if (owner === null) return;
      await Promise.all(TYPES.map((type) => readList({ owner, type, ...pages[type] })));
    });
  } catch {
    // What cannot be read is asked for again, and said, when it is to be shown.
  }
}

const TYPES: readonly CapsuleType[] = ['created', 'received'];

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
      peek: () => peekList(key),
      read: () => readList(key),
      refresh: (signal: AbortSignal) => refreshList(key, signal),
    };
  }, [owner, type, query, page]);
  const kept = useKept(source);
  useNeighbours(source?.key ?? null, kept.value);
  // A device that is connected to something may still reach nobody.
  const isUnreachable = !online || isConnectionError(kept.error);
  const isCutOff = query !== '' && isUnreachable;
  const searching = useSearching(isUnreachable);
  useEffect(() => {
    if (!searching || !isUnreachable || owner === null) return;
    return searching.startSearching(owner, type);
  }, [searching, isUnreachable, owner, type]);
  const search = useLocal(
    async () => {
      const isAsked = searching && source && isCutOff;
      return { source, value: isAsked ? await searching.searchKept(source.key) : null };
    },
    [searching, source, isCutOff],
    { source, value: null },
  );
  const seen = useMemo(
    () => (searching && source && isCutOff ? searching.peekSearch(source.key) : null),
    [searching, source, isCutOff],
  );
  const found = search?.source === source && search?.value ? search.value : seen;
  return useMemo(
    () => (!isCutOff || kept.value ? kept : { ...kept, value: found, isRead: found !== null }),
    [isCutOff, kept, found],
  );
}

/** Reads the pages beside the one that is shown, so that turning to them takes no time. */
function useNeighbours(key: ListKey | null, shown: CachedPage | null): void {
  useEffect(() => {
    if (!key || !shown) return;
    const timer = setTimeout(() => {
      for (const page of [key.page + 1, key.page - 1]) {
        if (page < 1 || page > shown.pagination.totalPages) continue;
        readList({ ...key, page }).catch(() => undefined);
      }
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [key, shown]);
}

type Searching = typeof import('./offline-search.ts');

/** With a connection the server searches, and this part of the app need not come. */
function useSearching(isWanted: boolean): Searching | null {
  const [searching, setSearching] = useState<Searching | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    // Where no worker keeps the app it does not come without a network; the list then says so.
    import('./offline-search.ts').then(setSearching, () => undefined);
  }, [isWanted]);
  return searching;
}

/** One capsule; null `id` shows none. */
export function useCapsule(owner: string | null, id: string | null): Kept<CapsuleRow> {
  const source = useMemo(() => {
    if (owner === null || id === null) return null;
    return {
      // Whoever opens a card has it before them already.
      peek: () => peekCapsule(owner, id),
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
  // What found no room for itself may find it now, or at the next start.
  void import('./outbox-actions.ts').then((one) => one.tryAllAgain(owner)).catch(() => undefined);
}
