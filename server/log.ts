import { type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';

export type Log = Logger;

/** Whether a person sees what is logged, and not a file or another program. */
export const isTerminal = process.stdout.isTTY === true;

/**
 * Structured lines on standard output, and plain ones at a terminal. Callers pass ids and counts,
 * never what a person wrote.
 */
export function createLog(level: string): Log {
  const output = isTerminal ? plainOutput() : batchedOutput();
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

/** Writes lines in batches in the background, so that calls do not wait for them. */
function batchedOutput() {
  const output = pino.destination({ sync: false });
  process.once('exit', () => output.flushSync());
  return output;
}

/** Writes the message of each line, then its fields below it. */
function plainOutput() {
  return {
    write(line: string) {
      const { level: _level, time: _time, msg, ...fields } = JSON.parse(line);
      const text = Object.entries(fields).map(([name, value]) => `${name} ${asText(value)}`);
      process.stdout.write(`${[msg, ...text].join('\n  ')}\n`);
    },
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
