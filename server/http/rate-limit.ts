import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../app-error.ts';
import type { Config } from '../config.ts';

/** Allowed attempts per number of seconds, counted in each process. */
const LIMITS = {
  signIn: [10, 60],
  signInByClient: [60, 60],
  register: [20, 60],
  forgotByAddress: [5, 300],
  forgotByClient: [20, 60],
  token: [30, 60],
  search: [120, 60],
  create: [120, 60],
  avatar: [20, 60],
  export: [5, 60],
} as const satisfies Record<string, readonly [points: number, seconds: number]>;

export type LimitName = keyof typeof LIMITS;

export interface RateLimits {
  /** Counts an attempt. @throws RATE_LIMITED, with the seconds to wait, when there were too many. */
  count(name: LimitName, key: string): Promise<void>;
  /** Forgets the attempts of a key, after one that succeeded. */
  forget(name: LimitName, key: string): Promise<void>;
}

export function createRateLimits({ rateLimits }: Pick<Config, 'rateLimits'>): RateLimits {
  if (!rateLimits) return { count: async () => {}, forget: async () => {} };
  const limiters = Object.fromEntries(
    Object.entries(LIMITS).map(([name, [points, duration]]) => [
      name,
      new RateLimiterMemory({ keyPrefix: name, points, duration }),
    ]),
  );
  return {
    async count(name, key) {
      try {
        await limiters[name]?.consume(key);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        throw new AppError('RATE_LIMITED', { retryAfter: Math.ceil(refused.msBeforeNext / 1000) });
      }
    },
    async forget(name, key) {
      await limiters[name]?.delete(key);
    },
  };
}
