import { AppError } from './app-error.ts';

export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs at most `atOnce` tasks at a time. Others wait in order. @throws BUSY if `waitingMax` tasks
 * are already waiting
 */
export function createLimiter(atOnce: number, waitingMax: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw new AppError('BUSY', { retryAfter: 5 });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The slot goes to the next in line, so that a new caller cannot overtake the queue.
      if (next) next();
      else running -= 1;
    }
  };
}

/** Runs `work` for somebody, named by `key`. */
export type FairLimiter = <T>(key: string, work: () => Promise<T>) => Promise<T>;

interface FairRules {
  atOnce: number;
  waitingMax: number;
  waitMaxMs: number;
  /** In milliseconds, from any beginning. */
  now?: () => number;
}

/**
 * As `createLimiter`, but the next is who has been given the least time since everything was done
 * last: one with much or heavy work holds up nobody with little. @throws BUSY if `waitingMax` tasks
 * are already waiting, and after a wait of `waitMaxMs`
 */
export function createFairLimiter({
  atOnce,
  waitingMax,
  waitMaxMs,
  ...rules
}: FairRules): FairLimiter {
  const now = rules.now ?? (() => performance.now());
  let running = 0;
  const waiting: { key: string; start: () => void }[] = [];
  const usedMs = new Map<string, number>();
  const used = ({ key }: { key: string }) => usedMs.get(key) ?? 0;

  function place(key: string): Promise<void> {
    if (waiting.length >= waitingMax) throw new AppError('BUSY', { retryAfter: 5 });
    return new Promise((resolve, reject) => {
      const one = { key, start: resolve };
      const giveUp = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1);
        reject(new AppError('BUSY', { retryAfter: 5 }));
      }, waitMaxMs);
      one.start = () => {
        clearTimeout(giveUp);
        resolve();
      };
      waiting.push(one);
    });
  }

  function passOn(): void {
    const next = waiting.reduce<(typeof waiting)[number] | undefined>(
      (first, one) => (!first || used(one) < used(first) ? one : first),
      undefined,
    );
    if (next) {
      waiting.splice(waiting.indexOf(next), 1);
      next.start();
      return;
    }
    running -= 1;
    if (running === 0) usedMs.clear();
  }

  return async (key, work) => {
    if (running >= atOnce) await place(key);
    else running += 1;
    const started = now();
    try {
      return await work();
    } finally {
      usedMs.set(key, used({ key }) + now() - started);
      passOn();
    }
  };
}

/** As Promise.all, but nothing is still running when it rejects. */
export async function allOf<T>(promises: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
