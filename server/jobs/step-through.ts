import type { Deps } from '../deps.ts';

export interface Step {
  /** What failed in this pass already. */
  except: string[];
  /** Says which one it is, as soon as that is known. */
  begin(id: string): void;
}

/**
 * Does what is due, one after the other. One that fails is logged and stepped over until the next pass,
 * so that it stops nobody else's.
 * @param next does one, and returns whether there was one
 */
export async function stepThrough(
  { log }: Pick<Deps, 'log'>,
  signal: AbortSignal,
  { what, next }: { what: string; next: (step: Step) => Promise<boolean> },
): Promise<void> {
  const failed: string[] = [];
  while (!signal.aborted) {
    const begun: string[] = [];
    try {
      if (!(await next({ except: failed, begin: (id) => begun.push(id) }))) return;
    } catch (error) {
      const [id] = begun;
      if (id === undefined) throw error;
      failed.push(id);
      log.error(
        { err: error, [what]: id },
        'A step failed. The others go on, and it is tried again.',
      );
    }
  }
}
