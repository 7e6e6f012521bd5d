import { type DraftFields, type DraftRow, db } from './db.ts';

export const EMPTY_DRAFT: DraftFields = {
  title: '',
  description: '',
  recipients: [],
  dateToUnlock: '',
  notifyRecipient: false,
  personalMessage: '',
};

/** What the person was writing last; null when there is nothing unfinished. */
export async function readDraft(owner: string): Promise<DraftRow | null> {
  const rows = await db.drafts.where('owner').equals(owner).sortBy('updatedAt');
  return rows.at(-1) ?? null;
}

/** Also when the session has ended meanwhile: nothing typed is lost to that. */
export async function saveDraft(draft: DraftRow): Promise<void> {
  await db.drafts.put(draft);
}

/** The same text under a new key: the old one has been answered for good. */
export async function rekeyDraft(draft: DraftRow, id: string): Promise<void> {
  await db.transaction('rw', db.drafts, async () => {
    await db.drafts.delete([draft.owner, draft.id]);
    await db.drafts.put({ ...draft, id });
  });
}

export async function discardDraft({ owner, id }: Pick<DraftRow, 'owner' | 'id'>): Promise<void> {
  await db.drafts.delete([owner, id]);
}
