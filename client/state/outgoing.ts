import type { DraftRow, OutboxRow } from '../local/db.ts';
import { isNoRoom } from '../local/no-room.ts';
import { enqueue, resumeWaiting } from '../local/outbox.ts';
import { readOwner } from '../local/owner.ts';
import { giveUpAll } from '../sync/give-up.ts';
import { whileAllPause } from '../sync/pause.ts';
import { ownTimeZone } from '../sync/refresh.ts';
import { type Outgoing, startOutgoing } from '../sync/triggers.ts';
import { startAwaiting } from './awaited.ts';
import { sweepCopies } from './copying.ts';
import { sentBytes } from './sent-bytes.ts';

let outgoing: Outgoing | null = null;

interface SendingListener {
  onSignedOut: () => void;
  /** The device is too full to note what becomes of a capsule: all wait. */
  onNoRoom: () => void;
}

/** Keeps this person's queue moving while the page is open. @returns how to stop */
export function startSending(
  owner: string,
  { onSignedOut, onNoRoom }: SendingListener,
): () => void {
  let stopped = false;
  const start = async () => {
    // Each is of use without the other.
    await Promise.allSettled([sweepCopies(owner), resumeWaiting(owner, Date.now())]);
    if (stopped) return;
    outgoing = startOutgoing({
      onSent: ({ id }, bytes) => sentBytes.set({ byId: { ...sentBytes.get().byId, [id]: bytes } }),
      onSignedOut,
      onStuck: (error) => {
        if (isNoRoom(error)) onNoRoom();
      },
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

/** Before a sign-out: what has arrived of unsent work is of no use any more. */
export async function giveUpUploads(): Promise<void> {
  try {
    const owner = await readOwner();
    if (owner !== null) await giveUpAll(owner);
  } catch {
    // No connection in time, or a device that cannot say what it keeps: uploads expire by themselves.
  }
}

/**
 * Works while nothing is sent from this device; this page sends nothing more until `sendNow`.
 * @param work is told whether that is certain of the other pages and the worker
 */
export async function whilePaused<Done>(work: (isPaused: boolean) => Promise<Done>): Promise<Done> {
  // Asked for before this page lets go of the queue's lock: whoever is next in line must see it.
  const stopped = outgoing?.pause();
  return whileAllPause(async (isPaused) => {
    await stopped;
    return work(isPaused);
  });
}

/**
 * Seals a draft: from here on it is the queue's.
 * @param shown the files that the person sees
 * @throws when the device cannot write; FilesNotKeptError when a file is not all there
 */
export async function queueDraft(
  draft: DraftRow,
  shown: readonly { key: string; name: string }[],
): Promise<OutboxRow> {
  const item = await enqueue(draft, ownTimeZone(), Date.now(), shown);
  if (navigator.onLine) startAwaiting(item);
  sendNow();
  return item;
}
