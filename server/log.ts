import { type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';

export type Log = Logger;

/** Structured lines on standard output. Callers pass ids and counts, never what a person wrote. */
export function createLog(level: string): Log {
  // Lines leave in the background, many at once: a call does not wait for its own.
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
