/** Where the time comes from. Unlocking is decided by this clock and by no other. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
