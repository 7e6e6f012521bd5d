import { firstSignal } from '../api/first-signal.ts';
import { sweepFiles } from '../db/attachments.ts';
import { openedUserId } from '../db/database.ts';
import { withLock } from '../db/with-lock.ts';
import { isPauseWanted, onPause } from './locks.ts';

/** What waits in the database that is open here, and how it is sent: the same in a page and in the worker. */
export interface Queue {
  /** Of its Web Lock, and of its Background Sync tag. */
  name: string;
  /** Sends what is due. */
  send: (turn: Turn) => Promise<void>;
  /** When there is something to do, in milliseconds; Infinity for nothing that waits for its time. */
  next: (isLeaving: boolean) => Promise<number>;
  /** What could not be reached is due at once. */
  onOnline?: () => Promise<void>;
}

export interface Turn {
  /** Ends it; an upload under way is resumed the next time. */
  signal: AbortSignal;
  /** Nobody looks at this page any more: what is new goes at once. */
  isLeaving: () => boolean;
}

interface RunOptions extends Partial<Turn> {
  /** Wait for another page or worker that is sending; otherwise leave it to them. */
  waitForTurn?: boolean;
}

/** The `online` event ends an offline wait sooner, but a device may be wrong about being offline. */
const OFFLINE_RETRY_MS = 60_000;

/**
 * Sends as the one page or worker that may, until it is done, `signal` is aborted, or somebody needs the
 * queue to stand still.
 * @returns when to run again, in milliseconds; null when nothing waits for its time
 */
export async function runQueue(
  { name, send, next }: Queue,
  { signal, isLeaving = () => true, waitForTurn = false }: RunOptions = {},
): Promise<number | null> {
  // The Lock API does not allow `signal` and `ifAvailable` together.
  const lockOptions = waitForTurn ? (signal ? { signal } : {}) : { ifAvailable: true };
  await withLock(name, lockOptions, async (isHeld) => {
    if (!isHeld) return;
    const pause = new AbortController();
    const stopListening = onPause(() => pause.abort());
    try {
      await send({ signal: firstSignal(signal, pause.signal), isLeaving });
    } finally {
      stopListening();
      // The caller's signal may outlive many runs, and need not remember this one.
      pause.abort();
    }
  });
  // What a full disk does not let go of is swept after the next run.
  if (openedUserId() !== null) await sweepFiles().catch(() => undefined);
  const at = await next(isLeaving());
  if (at === Infinity) return null;
  return navigator.onLine ? at : Math.max(at, Date.now() + OFFLINE_RETRY_MS);
}

/** Asked once listening has begun: from then on a pause ends what is sent. */
export async function maySend(): Promise<boolean> {
  return navigator.onLine && !(await isPauseWanted());
}
