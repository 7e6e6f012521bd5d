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
      next = await queue.run({ signal, isLeaving });
    } catch (error) {
      // The database cannot be used (it is being deleted, or the disk is full): the timer tries again.
      next = Date.now() + TIMER_MAX_MS;
      options.onStuck?.(error);
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
  window.addEventListener('online', () => runAfter(queue.onOnline()), { signal });
  // Not every browser ends requests when its network goes.
  window.addEventListener('offline', interrupt, { signal });
  window.addEventListener('pageshow', run, { signal });
  const onVisibility = () => {
    if (!isLeaving()) {
      runAfter(queue.onVisible());
      return;
    }
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
      if (running) queue.giveWay();
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
