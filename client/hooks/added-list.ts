import { useLiveQuery } from 'dexie-react-hooks';
import type { Added, AddedList } from '../../shared/api/contributions.ts';
import { dayAt } from '../../shared/day.ts';
import { readResponse } from '../db/cache.ts';
import { ownTimeZone } from './use-now.ts';
import { useUserId } from './use-user-id.ts';

/* Apart from use-added.ts, which only the create page needs. */

/** Under which this device has cached who has added to a draft. */
export const addedKey = (draftId: string) => `added/${draftId}`;

/** What others have added to a draft, as this device knows. */
export async function readAdded(draftId: string): Promise<readonly Added[]> {
  return (await readList(draftId))?.contributions ?? NOTHING;
}

/** Others can still add to a draft, and nobody has. */
export async function isWaitingForOthers(draftId: string): Promise<boolean> {
  const { link = null, contributions = NOTHING } = (await readList(draftId)) ?? {};
  const isOver = link?.until && link.until < dayAt(new Date(), ownTimeZone());
  return link !== null && !isOver && contributions.length === 0;
}

async function readList(draftId: string): Promise<AddedList | undefined> {
  return (await readResponse<AddedList>(addedKey(draftId)).catch(() => undefined))?.body;
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
