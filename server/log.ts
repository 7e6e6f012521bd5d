import { type Logger, pino } from 'pino';
import { forTerminal } from '../shared/visible-text.ts';
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
  // JSON leaves some control characters as they are, and people read logs at terminals, too.
  return { write: (line: string) => output.write(forTerminal(line)) };
}

/** Writes the message of each line, then its fields below it. */
function plainOutput() {
  return {
    write(line: string) {
      const { level: _level, time: _time, msg, ...fields } = JSON.parse(line);
      const text = Object.entries(fields).map(([name, value]) => `${name} ${asText(value)}`);
      process.stdout.write(
        `${[msg, ...text].map((part) => forTerminal(String(part))).join('\n  ')}\n`,
      );
    },
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : JSON.stringify(value);
}
