import { type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';

export type Log = Logger;

/** Structured lines on standard output. Callers pass ids and counts, never what a person wrote. */
export function createLog(level: string): Log {
  // Lines are written in batches in the background, so that calls do not wait for them.
  const output = pino.destination({ sync: false });
  process.once('exit', () => output.flushSync());
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    output,
  );
}
