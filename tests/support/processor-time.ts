/**
 * How much processor time a piece of work takes, in milliseconds: of three runs the shortest, as the
 * first one compiles and others tidy up memory. What other processes do meanwhile does not count.
 */
export function processorMs(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const begun = process.cpuUsage();
    try {
      work();
    } catch {
      // What is refused takes time as well.
    }
    return since(begun);
  });
  return Math.min(...times);
}

/** As `processorMs`, of work that is waited for. */
export async function processorMsOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const begun = process.cpuUsage();
    await work().catch(() => {});
    times.push(since(begun));
  }
  return Math.min(...times);
}

function since(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}
