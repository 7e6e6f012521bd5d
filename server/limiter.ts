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

/** As Promise.all, but nothing is still running when it rejects. */
export async function allOf<T>(promises: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
