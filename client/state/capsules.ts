import { useMemo } from 'react';
import { type CapsuleType, deleteCapsule } from '../../shared/api/capsules.ts';
import { call } from '../http/call.ts';
import { readCapsule, removeCapsule, searchKept } from '../local/capsules.ts';
import type { CapsuleRow } from '../local/db.ts';
import { type CachedPage, readList } from '../local/lists.ts';
import { refreshCapsule, refreshList } from '../sync/refresh.ts';
import { type Kept, useKept } from './use-kept.ts';
import { useOnline } from './use-online.ts';

/** One page of a list. Without a connection a search looks through what the device keeps. */
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
      read: async () =>
        (await readList(key)) ?? (query !== '' && !online ? await searchKept(key) : null),
      refresh: (signal: AbortSignal) => refreshList(key, signal),
    };
  }, [owner, type, query, page, online]);
  return useKept(source);
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
  await call(deleteCapsule, { params: { id } });
  await removeCapsule(owner, id);
}
