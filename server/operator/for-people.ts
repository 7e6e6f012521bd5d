import { forTerminal } from '../../shared/visible-text.ts';

type Printed = { lines: string[] } | { line: string };

/** Makes what a command prints such that a terminal shows it and does nothing else: names are in it. */
export function forPeople<Args extends unknown[], Result extends Printed>(
  command: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const result = await command(...args);
    return 'line' in result
      ? { ...result, line: forTerminal(result.line) }
      : { ...result, lines: result.lines.map(forTerminal) };
  };
}
