import { SYNC_TAG, whileAllPause } from './locks.ts';

/* Apart from the scheduler: pages can be used before the code that sends is there. */

/** Not in TypeScript's library: only Chromium has it. */
interface SyncRegistration {
  sync?: { register(tag: string): Promise<void> };
}

/** Whether this browser sends what is queued with the app closed: Chromium does, Safari and Firefox do not. */
export const SENDS_WHEN_CLOSED =
  'ServiceWorkerRegistration' in globalThis && 'sync' in ServiceWorkerRegistration.prototype;

/** Asks the browser to wake the worker when it is online again. Without Background Sync the page does it all. */
export async function requestSync(tag = SYNC_TAG): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await (registration as SyncRegistration | undefined)?.sync?.register(tag);
  } catch {
    // Switched off by the person or the browser: the page's own triggers remain.
  }
}

export interface RunOptions {
  signal: AbortSignal;
  /** Nobody looks at this page any more. */
  isLeaving: () => boolean;
}

/** What a scheduler keeps moving: what waits in the database that is open on this page. */
export interface Queue {
  /** The Background Sync tag under which the worker sends the same. */
  tag: string;
  /** Sends what is due. @returns when to run again, in milliseconds; null when nothing waits for its time */
  run: (options: RunOptions) => Promise<number | null>;
  /** Whether something is left for the worker. */
  isWaiting: () => Promise<boolean>;
  /** What could not be reached is due at once. */
  onOnline: () => Promise<void>;
  /** Somebody looks at this page again. */
  onVisible: () => Promise<void>;
  /** Something was queued: what is less urgent and under way goes on later. */
  giveWay: () => void;
}

/** What sends the queue of this page. */
export interface Scheduler {
  run: () => void;
  /** Runs once what is under way is over, or between its parts. */
  ask: () => void;
  /** The same a few seconds later, unless it is due sooner. */
  runSoon: () => void;
  /** Runs now, without the pauses between the revisions of a draft. */
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
export function sendNow(tag = SYNC_TAG): void {
  // The page first: only a page can show progress.
  active?.run();
  void requestSync(tag);
}

/** Call when the account is to be asked what is new: no upload ends for that, and no worker is woken. */
export function askNow(): void {
  active?.ask();
}

/** Call when a draft has been saved on this device. */
export function saveSoon(): void {
  active?.runSoon();
}

/** Saves every draft to the account that is meant for it, as far as that is possible now. */
export async function saveNow(): Promise<void> {
  await active?.saveNow();
}

/**
 * Runs `work` while nothing is sent from this device; this page sends nothing more until `sendNow`.
 * @param work is told whether that is certain of the other pages and the worker
 */
export async function whilePaused<Done>(work: (isPaused: boolean) => Promise<Done>): Promise<Done> {
  // `whileAllPause` takes the pause lock before this page lets go of the queue's lock, so that the
  // next page in line finds the pause.
  const stopped = active?.pause();
  return whileAllPause(async (isPaused) => {
    await stopped;
    return work(isPaused);
  });
}
