import { useLiveQuery } from 'dexie-react-hooks';
import type { AddedList } from '../../shared/api/contributions.ts';
import { readResponse } from '../db/cache.ts';
import { useUserId } from './use-user-id.ts';

/* Apart from use-added.ts, which only the create page needs. */

/** Under which this device has cached who has added to a draft. */
export const addedKey = (draftId: string) => `added/${draftId}`;

/** How many people have added to a draft, as this device knows. */
export async function countAdded(draftId: string): Promise<number> {
  const list = await readResponse<AddedList>(addedKey(draftId)).catch(() => null);
  return list?.body.contributions.length ?? 0;
}

/** The same, for as long as it is shown. */
export function useAddedCount(draftId: string): number {
  const userId = useUserId();
  return (
    useLiveQuery(async () => (userId === null ? 0 : countAdded(draftId)), [draftId, userId]) ?? 0
  );
}
