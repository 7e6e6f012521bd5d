/** The source of time. Only this clock decides what is open. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
