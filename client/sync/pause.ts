import { withLock } from '../local/with-lock.ts';
import { OUTBOX_LOCK, PAUSE_LOCK } from './sync-tag.ts';

const CHANNEL = 'time-capsule-pause';

/** A page that sleeps does not hear that it is to stop. */
const PATIENCE_MS = 5_000;

/**
 * Works while nothing of the queue is sent, by no page and no worker: who is sending ends that at
 * once, and nobody begins.
 * @param work is told whether that is certain: who does not stop in time is not waited for
 */
export async function whileAllPause<Done>(
  work: (isPaused: boolean) => Promise<Done>,
): Promise<Done> {
  let done!: Done;
  let hasBegun = false;
  const begin = async (isPaused: boolean) => {
    hasBegun = true;
    done = await work(isPaused);
  };
  await withLock(PAUSE_LOCK, { mode: 'shared' }, async () => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage('pause');
    channel.close();
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      await withLock(OUTBOX_LOCK, { signal }, begin);
    } catch (error) {
      if (hasBegun) throw error;
      await begin(false);
    }
  });
  return done;
}

/**
 * Sends until it is done, `signal` is aborted, or somebody needs the queue to stand still: then
 * what is under way is aborted as well.
 */
export async function whileNobodyPauses(
  signal: AbortSignal | undefined,
  send: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = end;
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  try {
    await send(ending.signal);
  } finally {
    signal?.removeEventListener('abort', end);
    channel.close();
  }
}
