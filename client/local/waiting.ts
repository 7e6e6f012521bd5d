import { type DraftRow, db, type OutboxRow } from './db.ts';
import { isDraft, isOutboxItem } from './rows.ts';

/** What has not left this device, to be looked at: apart from all that changes it, so that a screen can show it soon. */

/** Newest first, as the dashboard shows them. */
export async function readOutbox(owner: string): Promise<OutboxRow[]> {
  const rows = await db.outbox.where('owner').equals(owner).sortBy('queuedAt');
  return rows.filter(isOutboxItem).reverse();
}

export async function readItem(owner: string, id: string): Promise<OutboxRow | null> {
  const row = await db.outbox.get([owner, id]);
  return isOutboxItem(row) ? row : null;
}

/** What is unfinished, the newest first. */
export async function readDrafts(owner: string): Promise<DraftRow[]> {
  const rows = await db.drafts.where('owner').equals(owner).sortBy('updatedAt');
  return rows.filter(isDraft).reverse();
}
