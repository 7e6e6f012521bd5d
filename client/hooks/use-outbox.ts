import { useLiveQuery } from 'dexie-react-hooks';
import { db } from '../db/database.ts';
import { retryRefusedDrafts } from '../db/draft-sync.ts';
import { discardDraft } from '../db/drafts.ts';
import {
  discardItem,
  enqueue,
  readItem,
  readOutbox,
  reopenAsDraft,
  retryItem,
  retryRefused,
} from '../db/outbox.ts';
import { type DraftFields, type DraftRow, type OutboxRow, randomUuid } from '../db/tables.ts';
import { sendNow, whilePaused } from '../sync/scheduler.ts';
import { cancelCopies, isCopiedFor } from './attach-files.ts';
import type { DraftHandle } from './draft-form.ts';
import { createExternalStore, useExternalStore } from './store.ts';
import { ownTimeZone } from './use-now.ts';

/* The outbox and the drafts as the screens see them, and what a person can do with them. */

/** Undefined until the person's database is open and has been read. */
export function useOutbox(userId: string | null): OutboxRow[] | undefined {
  return useLiveQuery(async () => (userId === null ? undefined : readOutbox()), [userId]);
}

/** How many wait: known also where the browser can't read them any more. */
export function useWaiting(userId: string | null): number {
  return useLiveQuery(async () => (userId === null ? 0 : db.outbox.count()), [userId]) ?? 0;
}

/** Null when it is not in the outbox (any more). */
export function useOutboxItem({ id }: { id: string }): OutboxRow | null | undefined {
  return useLiveQuery(() => readItem(id), [id]);
}

/** Bytes of the files of each item that have left; only while this page sends. */
export const sentBytes = createExternalStore<{ byId: Readonly<Record<string, number>> }>({
  byId: {},
});

export interface Progress {
  /** Of the files, in bytes. */
  sent: number;
  /** How far the item has come, 0 to 100. */
  percent: number;
}

/**
 * How far an item has come. This changes several times a second and renders the calling component
 * each time, so the component should be small.
 */
export function useProgress(item: OutboxRow | null | undefined): Progress {
  const { byId } = useExternalStore(sentBytes);
  if (!item) return { sent: 0, percent: 0 };
  const { id, totalBytes, state } = item;
  const sent = Math.min(totalBytes, Math.max(byId[id] ?? 0, item.sentBytes));
  if (state !== 'sending') return { sent, percent: 0 };
  return { sent, percent: totalBytes === 0 ? 100 : Math.round((sent / totalBytes) * 100) };
}

/**
 * Seals a draft: from here on it belongs to the queue.
 * @param form where it is open
 * @param fields as the person has seen them
 * @param shown the files that the person sees
 * @throws when the device cannot write; otherwise as {@link enqueue} says
 */
export async function queueDraft(
  form: Pick<DraftHandle, 'keep' | 'take'>,
  fields: DraftFields,
  shown: readonly { id: string; name: string }[],
): Promise<OutboxRow> {
  // The last key may wait behind a write that is under way.
  if (!(await form.keep())) throw new Error('The draft could not be saved.');
  const item = await enqueue({ ...form.take(), fields }, ownTimeZone(), Date.now(), shown);
  if (navigator.onLine) awaited.add(item.id);
  sendNow();
  return item;
}

/** Capsules whose creator has stayed on the page to see whether they arrive. */
const awaited = new Set<string>();

/** The outcome is known, or the creator has been told that it takes longer. @returns whether they were waiting */
export function stopAwaiting({ id }: Pick<OutboxRow, 'id'>): boolean {
  return awaited.delete(id);
}

/** Called when there may be room on the server again. */
export async function retryRefusedNow(): Promise<void> {
  await Promise.all([retryRefused(Date.now()), retryRefusedDrafts()]);
  sendNow();
}

export async function retryNow({ id }: Pick<OutboxRow, 'id'>): Promise<void> {
  await retryItem(id, Date.now());
  sendNow();
}

/** @returns the id of the draft that the item has become; null when it may have arrived */
export async function editItem(item: OutboxRow): Promise<string | null> {
  const reopen = (isPaused: boolean) => reopenAsDraft(item.id, randomUuid(), isPaused);
  return (await takeBack(item, reopen))?.id ?? null;
}

/** @returns false when it may have arrived, and therefore stays */
export async function discardQueued(item: OutboxRow): Promise<boolean> {
  return takeBack(item, (isPaused) => discardItem(item.id, isPaused));
}

/** @param take returns nothing for an item that is being sent */
async function takeBack<Taken>(
  { state }: OutboxRow,
  take: (isPaused: boolean) => Promise<Taken>,
): Promise<Taken> {
  try {
    const taken = state === 'sending' ? null : await take(false);
    // Its turn may have come while the person made up their mind.
    return taken || (await whilePaused(take));
  } finally {
    sendNow();
  }
}

/** @param draft as the person saw it when they were asked */
export async function discardUnfinished(draft: DraftRow): Promise<void> {
  cancelCopies(isCopiedFor(draft.id, draft.files));
  await discardDraft(draft);
  sendNow();
}
