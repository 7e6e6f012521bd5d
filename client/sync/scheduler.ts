import { askAnew } from '../db/due.ts';
import { OUTBOX, whileAllPause } from './locks.ts';
import { type Queue, runQueue } from './queue.ts';

/* When a page sends. */

/** Not in TypeScript's library: only Chromium has it. */
interface SyncRegistration {
  sync?: { register(tag: string): Promise<void> };
}

/** Whether this browser sends what is queued with the app closed: Chromium does, Safari and Firefox do not. */
export const SENDS_WHEN_CLOSED =
  'ServiceWorkerRegistration' in globalThis && 'sync' in ServiceWorkerRegistration.prototype;

/** Asks the browser to wake the worker when it is online again. Without Background Sync the page does it all. */
export async function requestSync(tag = OUTBOX): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await (registration as SyncRegistration | undefined)?.sync?.register(tag);
  } catch {
    // Switched off by the person or the browser: the page's own triggers remain.
  }
}

/** The browser gives up after three failed syncs, so a page that closes asks again. */
async function requestSyncIfPending({ name, next }: Queue): Promise<void> {
  try {
    if ((await next(true)) !== Infinity) await requestSync(name);
  } catch {
    // The session has just ended, and its database was closed: the next page asks.
  }
}

/** What sends the queue of this page. */
export interface Scheduler {
  run: () => void;
  ask: () => void;
  runSoon: () => void;
  saveNow: () => Promise<void>;
  /** Ends what this page is sending; nothing more leaves it until `run`. */
  pause: () => Promise<void>;
}

/** This page's scheduler; null while nobody is signed in. */
let active: Scheduler | null = null;

/** @returns how to end it */
export function activate(scheduler: Scheduler): () => void {
  active = scheduler;
  return () => {
    if (active === scheduler) active = null;
  };
}

/** Call when something has been queued, or is to be tried again. */
export function sendNow(tag = OUTBOX): void {
  // The page first: only a page can show progress.
  active?.run();
  void requestSync(tag);
}

/** Call when the account is to be asked what is new: no worker is woken for that. */
export function askNow(): void {
  active?.ask();
}

/** Call when a draft has been saved on this device: it is sent a few seconds later, unless it is due sooner. */
export function saveSoon(): void {
  active?.runSoon();
}

/**
 * Saves every draft to the account that is meant for it, as far as that is possible now, without the pauses
 * between its revisions.
 */
export async function saveNow(): Promise<void> {
  await active?.saveNow();
}

/**
 * Runs `work` while nothing is sent from this device; this page sends nothing more until `sendNow`.
 * @param work is told whether that is certain of the other pages and the worker
 */
export function whilePaused<Done>(work: (isPaused: boolean) => Promise<Done>): Promise<Done> {
  return whileAllPause(active?.pause(), work);
}

/** Long timers are unreliable in background tabs; a run with nothing due costs nothing. */
const TIMER_MAX_MS = 60_000;

/** The first words of a draft leave this much later. */
const SOON_MS = 5_000;

/**
 * Keeps a queue moving while a page is open: at the start, when something is queued, back online,
 * visible again, and when the next try is due.
 * @param onStuck the device cannot note what becomes of what is sent, so nothing is sent for now
 * @returns how to stop
 */
export function startScheduler(queue: Queue, onStuck?: (error: unknown) => void): () => void {
  let isPaused = false;
  let running: Promise<void> | null = null;
  /** In how many milliseconds to run again, counted from the end of the run under way. */
  let wish = Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let runsAt = Infinity;
  let sending = new AbortController();
  let isHurried = false;
  const isLeaving = () => isHurried || document.visibilityState === 'hidden';

  /** Unless it runs sooner. */
  function runIn(ms: number): void {
    if (isPaused) return;
    if (running) {
      wish = Math.min(wish, ms);
    } else if (ms === 0) {
      clearTimeout(timer);
      runsAt = Infinity;
      running = runOnce();
    } else if (Date.now() + ms < runsAt) {
      clearTimeout(timer);
      runsAt = Date.now() + ms;
      timer = setTimeout(run, ms);
    }
  }

  const run = () => runIn(0);

  async function runOnce(): Promise<void> {
    const { signal } = sending;
    let next: number | null;
    try {
      next = await runQueue(queue, { signal, isLeaving });
    } catch (error) {
      // The database cannot be used (it is being deleted, or the disk is full): the timer tries again.
      next = Date.now() + TIMER_MAX_MS;
      onStuck?.(error);
    }
    running = null;
    if (next !== null && !signal.aborted) {
      // Never at once: an item that stays due because another page sends it must not spin here.
      wish = Math.min(wish, TIMER_MAX_MS, Math.max(1_000, next - Date.now()));
    }
    const ms = wish;
    wish = Infinity;
    runIn(ms);
  }

  /** Runs once it's noted why. */
  function runAfter(note: Promise<void>): void {
    note.finally(run).catch(reportError);
  }

  function interrupt(): void {
    sending.abort();
    sending = new AbortController();
  }

  const listeners = new AbortController();
  const { signal } = listeners;
  const onOnline = () => runAfter(Promise.resolve(queue.onOnline?.()).then(askAnew));
  window.addEventListener('online', onOnline, { signal });
  // Not every browser ends requests when its network goes.
  window.addEventListener('offline', interrupt, { signal });
  window.addEventListener('pageshow', run, { signal });
  const onVisibility = () => {
    // Another device may have written while nobody looked at this one.
    if (!isLeaving()) return runAfter(askAnew());
    // What was typed last goes before the page does.
    run();
    void requestSyncIfPending(queue);
  };
  document.addEventListener('visibilitychange', onVisibility, { signal });
  run();
  void requestSyncIfPending(queue);

  const scheduler: Scheduler = {
    run: () => {
      isPaused = false;
      run();
    },
    ask: run,
    runSoon: () => runIn(SOON_MS),
    saveNow: async () => {
      isHurried = true;
      run();
      // The run that was under way, and the next one.
      await running;
      await running;
      isHurried = false;
    },
    pause: async () => {
      isPaused = true;
      wish = Infinity;
      runsAt = Infinity;
      clearTimeout(timer);
      interrupt();
      await running;
    },
  };
  const deactivate = activate(scheduler);
  return () => {
    deactivate();
    void scheduler.pause();
    listeners.abort();
  };
}
