import { useLiveQuery } from 'dexie-react-hooks';
import { isNoRoom } from '../db/database.ts';
import { discardDraft, readDrafts } from '../db/drafts.ts';
import {
  discardItem,
  enqueue,
  readItem,
  readOutbox,
  reopenAsDraft,
  resumeRefused,
  retryNow,
} from '../db/outbox.ts';
import { type DraftRow, type OutboxRow, randomUuid } from '../db/tables.ts';
import { sendNow, startScheduler, whilePaused } from '../sync/scheduler.ts';
import { cancelCopies, sweepCopies } from './attach-files.ts';
import { startAwaiting } from './awaited.ts';
import { sentBytes } from './sent-bytes.ts';
import { ownTimeZone } from './use-now.ts';

/* The outbox and the drafts as the screens see them, and what a person can do with them. */

/** Undefined until the person's database is open and has been read. */
export function useOutbox(userId: string | null): OutboxRow[] | undefined {
  return useLiveQuery(async () => (userId === null ? undefined : readOutbox()), [userId]);
}

/** Null when it is not in the outbox (any more). */
export function useOutboxItem({ id }: { id: string }): OutboxRow | null | undefined {
  return useLiveQuery(() => readItem(id), [id]);
}

export function useDrafts(userId: string | null): DraftRow[] | undefined {
  return useLiveQuery(async () => (userId === null ? [] : readDrafts()), [userId]);
}

interface OutboxListener {
  onSignedOut: () => void;
  /** The device is too full to note what becomes of a capsule: all wait. */
  onNoRoom: () => void;
}

/** Keeps this person's queue moving while the page is open. @returns how to stop */
export function startSending({ onSignedOut, onNoRoom }: OutboxListener): () => void {
  let isStopped = false;
  let stop = () => {};
  const start = async () => {
    // Each is of use without the other.
    await Promise.allSettled([sweepCopies(), resumeRefused(Date.now())]);
    if (isStopped) return;
    stop = startScheduler({
      onSent: ({ id }, bytes) => sentBytes.set({ byId: { ...sentBytes.get().byId, [id]: bytes } }),
      onSignedOut,
      onStuck: (error) => {
        if (isNoRoom(error)) onNoRoom();
      },
    });
  };
  void start();
  return () => {
    isStopped = true;
    stop();
  };
}

/**
 * Seals a draft: from here on it belongs to the queue.
 * @param shown the files that the person sees
 * @throws when the device cannot write; FilesMissingError when a file is not all there
 */
export async function sealDraft(
  draft: DraftRow,
  shown: readonly { id: string; name: string }[],
): Promise<OutboxRow> {
  const item = await enqueue(draft, ownTimeZone(), Date.now(), shown);
  if (navigator.onLine) startAwaiting(item);
  sendNow();
  return item;
}

/** There may be room on the server now. */
export async function tryAllAgain(): Promise<void> {
  await resumeRefused(Date.now());
  sendNow();
}

export async function tryNow({ id }: Pick<OutboxRow, 'id'>): Promise<void> {
  await retryNow(id, Date.now());
  sendNow();
}

/** @returns the id of the draft it has become; null when it may have arrived */
export async function editItem(item: OutboxRow): Promise<string | null> {
  const reopen = (isPaused: boolean) => reopenAsDraft(item.id, randomUuid(), Date.now(), isPaused);
  return (await takeBack(item, reopen))?.id ?? null;
}

/** @returns false when it may have arrived, and therefore stays */
export async function discardQueued(item: OutboxRow): Promise<boolean> {
  return takeBack(item, (isPaused) => discardItem(item.id, isPaused));
}

/** @param take refuses, with nothing, an item that is being sent */
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

export async function discardUnfinished({ id }: Pick<DraftRow, 'id'>): Promise<void> {
  cancelCopies((job) => job.capsuleId === id);
  await discardDraft({ id });
  sendNow();
}
