import { AppError } from './app-error.ts';

export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs at most `atOnce` works at a time; further ones wait in the order they came.
 * @throws AppError BUSY when `waitingMax` works wait already: told to come back rather than kept waiting.
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
      // The place is handed on, not freed: a newcomer cannot overtake the queue.
      if (next) next();
      else running -= 1;
    }
  };
}
