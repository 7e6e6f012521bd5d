import { readAbandoned } from '../local/abandoned.ts';
import { hurryAll, nextTryAt } from '../local/outbox.ts';
import { readOwner } from '../local/owner.ts';
import { type DrainOptions, drain } from './drain.ts';
import { SYNC_TAG } from './sync-tag.ts';

/** A browser's timers are not to be trusted over long times; a run with nothing due costs nothing. */
const TIMER_MAX_MS = 60_000;

/** Not in TypeScript's library: only Chromium has it. */
interface SyncRegistration {
  sync?: { register(tag: string): Promise<void> };
}

/** Asks the browser to wake the worker when the network is back. Without Background Sync the page does it all. */
export async function requestSync(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await (registration as SyncRegistration | undefined)?.sync?.register(SYNC_TAG);
  } catch {
    // Switched off by the person or the browser: the page's own triggers remain.
  }
}

/** The browser forgets after three vain attempts; whoever closes the page counts on it all the same. */
async function requestSyncIfPending(): Promise<void> {
  const owner = await readOwner();
  if (owner === null) return;
  const waits = (await nextTryAt(owner)) !== null || (await readAbandoned(owner)).length > 0;
  if (waits) await requestSync();
}

export interface OutgoingOptions extends Omit<DrainOptions, 'signal' | 'waitForTurn'> {
  /** The device cannot even note what becomes of a capsule, so nothing is sent for now. */
  onStuck?: (error: unknown) => void;
}

export interface Outgoing {
  /** Call when something has been queued, or is to be tried again. */
  now(): void;
  /** Ends what this page is sending; nothing more leaves it until `now`. */
  pause(): Promise<void>;
  stop(): void;
}

/**
 * Keeps the queue moving while a page is open: at the start, when something is queued, back
 * online, back in sight, and when the next try is due.
 */
export function startOutgoing(options: OutgoingOptions): Outgoing {
  let stopped = false;
  let sending = new AbortController();
  let current: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let again = false;
  let paused = false;

  function run(): void {
    if (stopped || paused) return;
    if (running) {
      again = true;
      return;
    }
    running = true;
    clearTimeout(timer);
    current = runOnce();
  }

  async function runOnce(): Promise<void> {
    const { signal } = sending;
    let next: number | null = null;
    try {
      next = await drain({ ...options, signal });
    } catch (error) {
      // The device's database is away (a wipe, a full disk): the timer asks again.
      next = Date.now() + TIMER_MAX_MS;
      options.onStuck?.(error);
    }
    running = false;
    if (again) {
      again = false;
      run();
    } else if (next !== null && !signal.aborted) {
      // Never at once: an item that stays due because another page sends it must not spin here.
      const wait = Math.min(TIMER_MAX_MS, Math.max(1_000, next - Date.now()));
      timer = setTimeout(run, wait);
    }
  }

  async function hurry(): Promise<void> {
    try {
      const owner = await readOwner();
      if (owner !== null) await hurryAll(owner, Date.now());
    } finally {
      run();
    }
  }

  function interrupt(): void {
    sending.abort();
    sending = new AbortController();
  }

  const onOnline = () => void hurry().catch(reportError);
  const onSeen = () => {
    if (document.visibilityState === 'visible') run();
    else void requestSyncIfPending();
  };
  window.addEventListener('online', onOnline);
  // Not every browser ends what was under way when its network went.
  window.addEventListener('offline', interrupt);
  window.addEventListener('pageshow', run);
  document.addEventListener('visibilitychange', onSeen);
  run();
  void requestSyncIfPending();

  return {
    now: () => {
      paused = false;
      // The page first: only it can show how far a capsule has come.
      run();
      void requestSync();
    },
    pause: async () => {
      paused = true;
      again = false;
      clearTimeout(timer);
      interrupt();
      await current;
    },
    stop: () => {
      stopped = true;
      sending.abort();
      clearTimeout(timer);
      window.removeEventListener('online', onOnline);
      window.removeEventListener('offline', interrupt);
      window.removeEventListener('pageshow', run);
      document.removeEventListener('visibilitychange', onSeen);
    },
  };
}
