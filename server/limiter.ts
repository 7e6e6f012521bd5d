import { AppError } from './app-error.ts';

export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs at most `atOnce` tasks at a time. Others wait in order. @throws BUSY if `waitingMax` tasks
 * are already waiting, and after a wait of `waitMaxMs`
 */
export function createLimiter(
  atOnce: number,
  waitingMax: number,
  waitMaxMs: number = Number.POSITIVE_INFINITY,
): Limiter {
  const inTurn = createFairLimiter({ atOnce, waitingMax, waitMaxMs });
  return (work) => inTurn('everybody', work);
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
 * As `createLimiter`, but the next task is that of whoever has been given the least time since all
 * tasks were done last. So nobody with much or heavy work holds up those with little.
 * @throws BUSY if `waitingMax` tasks are already waiting, and after a wait of `waitMaxMs`
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
      let giveUp: NodeJS.Timeout | undefined;
      const start = () => {
        clearTimeout(giveUp);
        resolve();
      };
      const one = { key, start };
      waiting.push(one);
      // A timer takes no endless time.
      if (!Number.isFinite(waitMaxMs)) return;
      giveUp = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1);
        reject(new AppError('BUSY', { retryAfter: 5 }));
      }, waitMaxMs);
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
