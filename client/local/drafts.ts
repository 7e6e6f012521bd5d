import { type DraftFields, type DraftRow, db } from './db.ts';
import { removeFilesOf } from './kept-files.ts';

export const EMPTY_DRAFT: DraftFields = {
  title: '',
  description: '',
  recipients: [],
  dateToUnlock: '',
  notifyRecipient: false,
  personalMessage: '',
};

export async function readDraft(owner: string, id: string): Promise<DraftRow | null> {
  return (await db.drafts.get([owner, id])) ?? null;
}

/** What is unfinished, the newest first. */
export async function readDrafts(owner: string): Promise<DraftRow[]> {
  const rows = await db.drafts.where('owner').equals(owner).sortBy('updatedAt');
  return rows.reverse();
}

/**
 * Also when the session has ended meanwhile: nothing typed is lost to that. A draft that
 * another tab has sealed stays sealed: its words are on their way and change no more.
 */
export async function saveDraft(draft: DraftRow): Promise<void> {
  await db.transaction('rw', db.drafts, db.outbox, async () => {
    if (await db.outbox.get([draft.owner, draft.id])) return;
    await db.drafts.put(draft);
  });
}

/** Removes a draft with its files. */
export async function discardDraft({ owner, id }: Pick<DraftRow, 'owner' | 'id'>): Promise<void> {
  await db.transaction('rw', db.drafts, db.files, db.chunks, async () => {
    await db.drafts.delete([owner, id]);
    await removeFilesOf(owner, id);
  });
}
