import type { OutboxRow } from '../local/db.ts';
import { discardDraft } from '../local/drafts.ts';
import {
  discardBrokenItem,
  discardItem,
  reopenAsDraft,
  resumeWaiting,
  retryNow,
} from '../local/outbox.ts';
import type { Unreadable } from '../local/unreadable.ts';
import { randomUuid } from '../local/uuid.ts';
import { cancelCopies } from './copying.ts';
import { sendNow, whilePaused } from './outgoing.ts';

/** What a person does with drafts and queued capsules. Apart from looking at them: it brings the sender along. */

type Key = Pick<OutboxRow, 'owner' | 'id'>;

/** There may be room on the server now. */
export async function tryAllAgain(owner: string): Promise<void> {
  await resumeWaiting(owner, Date.now());
  sendNow();
}

export async function tryNow(item: Key): Promise<void> {
  await retryNow(item, Date.now());
  sendNow();
}

/** @returns the id of the draft it has become; null when it may have arrived */
export async function editItem(item: OutboxRow): Promise<string | null> {
  const reopen = (isPaused: boolean) => reopenAsDraft(item, randomUuid(), Date.now(), isPaused);
  return (await takeBack(item, reopen))?.id ?? null;
}

/** @returns false when it may have arrived and is kept therefore */
export async function discardQueued(item: OutboxRow): Promise<boolean> {
  return takeBack(item, (isPaused) => discardItem(item, isPaused));
}

/** @param take refuses, with nothing, what is on its way */
async function takeBack<Taken>(
  { state }: OutboxRow,
  take: (isPaused: boolean) => Promise<Taken>,
): Promise<Taken> {
  try {
    const taken = state === 'sending' ? null : await take(false);
    // On its way; its turn may have come while the person made up their mind.
    return taken || (await whilePaused(take));
  } finally {
    sendNow();
  }
}

export async function discardUnfinished(draft: Key): Promise<void> {
  cancelCopies((job) => job.capsuleId === draft.id);
  await discardDraft(draft);
  sendNow();
}

/** Throws away what can no longer be read, with its files. */
export async function discardBroken({ kind, owner, id }: Unreadable): Promise<void> {
  cancelCopies((job) => job.capsuleId === id);
  if (kind === 'draft') await discardDraft({ owner, id });
  else await discardBrokenItem({ owner, id });
  sendNow();
}
