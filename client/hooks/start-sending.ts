import { isNoRoom } from '../db/database.ts';
import { retryRefusedDrafts } from '../db/draft-sync.ts';
import { retryRefused } from '../db/outbox.ts';
import { outboxQueue } from '../sync/drain.ts';
import { startScheduler } from '../sync/scheduler.ts';
import { sweepCopies } from './attach-files.ts';
import { sentBytes } from './use-outbox.ts';

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
    // If one of the two fails, the other is still of use.
    await Promise.allSettled([sweepCopies(), retryRefused(Date.now()), retryRefusedDrafts()]);
    if (isStopped) return;
    const queue = outboxQueue({
      onSent: ({ id }, bytes) => sentBytes.set({ byId: { ...sentBytes.get().byId, [id]: bytes } }),
      onSignedOut,
    });
    stop = startScheduler(queue, (error) => {
      if (isNoRoom(error)) onNoRoom();
    });
  };
  void start();
  return () => {
    isStopped = true;
    stop();
  };
}
