import { forTerminal } from '../../shared/visible-text.ts';
import { type Config, getConfig } from '../config.ts';
import { describeStartFailure } from '../start-failure.ts';

export interface Said {
  ok: boolean;
  /** To be printed. */
  lines: string[];
}

/**
 * An operator's command, run with the settings of its environment. What fails is said in one line.
 * A terminal shows what is printed and does nothing else: names are in it.
 */
export function forPeople<Args extends unknown[]>(
  command: (config: Config, ...args: Args) => Promise<Said>,
): (environment: Record<string, string | undefined>, ...args: Args) => Promise<Said> {
  return async (environment, ...args) => {
    const said = async () => command(getConfig(environment), ...args);
    const { ok, lines } = await said().catch((error: unknown) => ({
      ok: false,
      lines: [describeStartFailure(error, null)],
    }));
    return { ok, lines: lines.map(forTerminal) };
  };
}
