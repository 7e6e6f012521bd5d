import type { DraftRow, OutboxRow } from '../local/db.ts';
import { enqueue, resumeAfterSignIn } from '../local/outbox.ts';
import type { Delivered } from '../sync/delivery-news.ts';
import { ownTimeZone } from '../sync/refresh.ts';
import { type Outgoing, startOutgoing } from '../sync/triggers.ts';
import { sweepCopies } from './copying.ts';
import { createExternalStore } from './external-store.ts';

/** Bytes of the files of each item that have left; only while this page sends. */
export const sentBytes = createExternalStore<{ byId: Readonly<Record<string, number>> }>({
  byId: {},
});

let outgoing: Outgoing | null = null;

/** Those whose creator saw them go and waits for the word. */
const awaited = new Set<string>();

/** Keeps this person's queue moving while the page is open. @returns how to stop */
export function startSending(owner: string, onSignedOut: () => void): () => void {
  let stopped = false;
  const start = async () => {
    // Each is of use without the other.
    await Promise.allSettled([sweepCopies(owner), resumeAfterSignIn(owner, Date.now())]);
    if (stopped) return;
    outgoing = startOutgoing({
      onSent: ({ id }, bytes) => sentBytes.set({ byId: { ...sentBytes.get().byId, [id]: bytes } }),
      onSignedOut,
    });
  };
  void start();
  return () => {
    stopped = true;
    outgoing?.stop();
    outgoing = null;
  };
}

export function sendNow(): void {
  outgoing?.now();
}

/** Ends what this page is sending, so that the person can take it back. */
export async function pauseSending(): Promise<void> {
  await outgoing?.pause();
}

/** Seals a draft: from here on it is the queue's. @throws when the device cannot write, or still copies a file */
export async function queueDraft(draft: DraftRow): Promise<OutboxRow> {
  const item = await enqueue(draft, ownTimeZone(), Date.now());
  if (navigator.onLine) awaited.add(item.id);
  sendNow();
  return item;
}

/** Nobody waits for it any more: it is sent later. */
export function stopAwaiting(id: string): void {
  awaited.delete(id);
}

/** @returns whether its creator was waiting for it */
export function wasAwaited({ id }: Delivered): boolean {
  return awaited.delete(id);
}

/** How far an item has come, in whole percent. */
export function percentOf(item: OutboxRow, byId: Readonly<Record<string, number>>): number {
  const { totalBytes, state } = item;
  if (state !== 'sending') return 0;
  if (totalBytes === 0) return 100;
  const sent = Math.max(byId[item.id] ?? 0, item.sentBytes);
  return Math.min(100, Math.round((sent / totalBytes) * 100));
}
