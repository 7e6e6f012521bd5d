import { openedUserId } from '../db/database.ts';
import { activate, type Queue, requestSync, type Scheduler } from './send-now.ts';

/** Long timers are unreliable in background tabs; a run with nothing due costs nothing. */
const TIMER_MAX_MS = 60_000;

/** The first words of a draft leave this much later. */
const SOON_MS = 5_000;

interface SchedulerOptions {
  /** The device cannot note what becomes of what is sent, so nothing is sent for now. */
  onStuck?: (error: unknown) => void;
}

/** The browser gives up after three failed syncs, so a page that closes asks again. */
async function requestSyncIfPending({ tag, isWaiting }: Queue): Promise<void> {
  if (openedUserId() === null) return;
  try {
    if (await isWaiting()) await requestSync(tag);
  } catch {
    // The session has just ended, and its database was closed: the next page asks.
  }
}

/**
 * Keeps a queue moving while a page is open: at the start, when something is queued, back online,
 * visible again, and when the next try is due. @returns how to stop
 */
export function startScheduler(queue: Queue, options: SchedulerOptions = {}): () => void {
  let isStopped = false;
  let isPaused = false;
  let isRunning = false;
  let runsAgain = false;
  let runsSoon = false;
  let sending = new AbortController();
  let current: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let runsAt = Infinity;
  let isHurried = false;
  const isLeaving = () => isHurried || document.visibilityState === 'hidden';

  function runIn(ms: number): void {
    clearTimeout(timer);
    runsAt = Date.now() + ms;
    timer = setTimeout(run, ms);
  }

  function run(): void {
    if (isStopped || isPaused) return;
    if (isRunning) {
      runsAgain = true;
      return;
    }
    isRunning = true;
    clearTimeout(timer);
    runsAt = Infinity;
    current = runOnce();
  }

  async function runOnce(): Promise<void> {
    const { signal } = sending;
    let next: number | null = null;
    try {
      next = await queue.run({ signal, isLeaving });
    } catch (error) {
      // The database cannot be used (it is being deleted, or the disk is full): the timer tries again.
      next = Date.now() + TIMER_MAX_MS;
      options.onStuck?.(error);
    }
    isRunning = false;
    if (runsAgain) {
      runsAgain = false;
      run();
    } else if (next !== null && !signal.aborted) {
      // Never at once: an item that stays due because another page sends it must not spin here.
      runIn(Math.min(TIMER_MAX_MS, Math.max(1_000, next - Date.now())));
    }
    if (!runsSoon) return;
    runsSoon = false;
    scheduler.runSoon();
  }

  async function onOnline(): Promise<void> {
    try {
      await queue.onOnline();
    } finally {
      run();
    }
  }

  /** Another device may have written while nobody looked at this one. */
  function onVisible(): void {
    void queue.onVisible().finally(run).catch(reportError);
  }

  function interrupt(): void {
    sending.abort();
    sending = new AbortController();
  }

  const listeners = new AbortController();
  const { signal } = listeners;
  window.addEventListener('online', () => void onOnline().catch(reportError), { signal });
  // Not every browser ends requests when its network goes.
  window.addEventListener('offline', interrupt, { signal });
  window.addEventListener('pageshow', run, { signal });
  const onVisibility = () => {
    if (!isLeaving()) return onVisible();
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
      if (isRunning) queue.giveWay();
      run();
    },
    runSoon: () => {
      // Once after the run, however many keys were pressed meanwhile.
      if (isRunning) runsSoon = true;
      else if (!isStopped && !isPaused && runsAt > Date.now() + SOON_MS) runIn(SOON_MS);
    },
    saveNow: async () => {
      isHurried = true;
      run();
      // The run that was under way, and the next one.
      await current;
      await current;
      isHurried = false;
    },
    pause: async () => {
      isPaused = true;
      runsAgain = false;
      clearTimeout(timer);
      interrupt();
      await current;
    },
  };
  const deactivate = activate(scheduler);
  return () => {
    isStopped = true;
    deactivate();
    sending.abort();
    clearTimeout(timer);
    listeners.abort();
  };
}
