import { useLiveQuery } from 'dexie-react-hooks';
import type { Added, AddedList } from '../../shared/api/contributions.ts';
import { readResponse } from '../db/cache.ts';
import { useUserId } from './use-user-id.ts';

/* Apart from use-added.ts, which only the create page needs. */

/** Under which this device has cached who has added to a draft. */
export const addedKey = (draftId: string) => `added/${draftId}`;

/** What others have added to a draft, as this device knows. */
export async function readAdded(draftId: string): Promise<readonly Added[]> {
  const list = await readResponse<AddedList>(addedKey(draftId)).catch(() => null);
  return list?.body.contributions ?? NOTHING;
}

const NOTHING: readonly Added[] = [];

/** The same, for as long as it is shown. */
export function useKnownAdded(draftId: string): readonly Added[] {
  const userId = useUserId();
  return (
    useLiveQuery(async () => (userId === null ? NOTHING : readAdded(draftId)), [draftId, userId]) ??
    NOTHING
  );
}
