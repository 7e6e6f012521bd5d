import { hurryAll } from '../local/outbox.ts';
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

export interface Outgoing {
  /** Call when something has been queued, or is to be tried again. */
  now(): void;
  stop(): void;
}

/**
 * Keeps the queue moving while a page is open: at the start, when something is queued, back
 * online, back in sight, and when the next try is due.
 */
export function startOutgoing(options: Omit<DrainOptions, 'signal' | 'waitForTurn'>): Outgoing {
  const stopped = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let again = false;

  async function run(): Promise<void> {
    if (stopped.signal.aborted) return;
    if (running) {
      again = true;
      return;
    }
    running = true;
    clearTimeout(timer);
    let next: number | null = null;
    try {
      next = await drain({ ...options, signal: stopped.signal });
    } catch {
      // The device's database is away (a wipe, a full disk): the timer asks again.
      next = Date.now() + TIMER_MAX_MS;
    }
    running = false;
    if (again) {
      again = false;
      void run();
    } else if (next !== null && !stopped.signal.aborted) {
      // Never at once: an item that stays due because another page sends it must not spin here.
      const wait = Math.min(TIMER_MAX_MS, Math.max(1_000, next - Date.now()));
      timer = setTimeout(() => void run(), wait);
    }
  }

  async function hurry(): Promise<void> {
    const owner = await readOwner();
    if (owner !== null) await hurryAll(owner, Date.now());
    await run();
  }

  const onOnline = () => void hurry();
  const onSeen = () => {
    if (document.visibilityState === 'visible') void run();
  };
  const onShow = () => void run();
  window.addEventListener('online', onOnline);
  window.addEventListener('pageshow', onShow);
  document.addEventListener('visibilitychange', onSeen);
  void run();

  return {
    now: () => {
      void requestSync();
      void run();
    },
    stop: () => {
      stopped.abort();
      clearTimeout(timer);
      window.removeEventListener('online', onOnline);
      window.removeEventListener('pageshow', onShow);
      document.removeEventListener('visibilitychange', onSeen);
    },
  };
}
