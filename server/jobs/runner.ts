import type { Deps } from '../deps.ts';

export interface Job {
  name: string;
  /** From the end of one pass to the start of the next. Well under the 24.8 days a timer can hold. */
  intervalMs: number;
  /** One pass over whatever is due. Returns early when `signal` is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export interface RunningJob {
  /** Starts a pass now; during a pass, another one right after it. */
  wake(): void;
  /** Resolves when the pass under way has ended. */
  stop(): Promise<void>;
}

/**
 * Runs a job now and then at intervals, one pass at a time. It polls for due work instead of
 * setting timers for it, because clocks jump and processes sleep. A failed pass is logged, and the
 * next one runs as usual.
 */
export function startJob({ log }: Pick<Deps, 'log'>, job: Job): RunningJob {
  const stopping = new AbortController();
  let woken = false;
  let endRest = () => {};

  function rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, job.intervalMs);
      endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      woken = false;
      try {
        await job.run(stopping.signal);
      } catch (error) {
        log.error({ err: error, job: job.name }, 'A job failed. It will run again.');
      }
      if (!woken && !stopping.signal.aborted) await rest();
    }
  }

  const ended = loop();
  return {
    wake() {
      woken = true;
      endRest();
    },
    stop() {
      stopping.abort();
      endRest();
      return ended;
    },
  };
}
