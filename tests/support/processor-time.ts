/** Work that takes less in its first run is not run again. */
const QUICK_MS = 10;
const RUNS = 3;

/**
 * How much processor time a piece of work takes, in milliseconds: of three runs the shortest, as the
 * first one compiles and others tidy up memory. What other processes do meanwhile does not count.
 */
export function processorMs(work: () => unknown): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && shortest > QUICK_MS; run += 1) {
    const begun = process.cpuUsage();
    try {
      work();
    } catch {
      // What is refused takes time as well.
    }
    shortest = Math.min(shortest, since(begun));
  }
  return shortest;
}

/** As `processorMs`, of work that is waited for. */
export async function processorMsOf(work: () => Promise<unknown>, runs = RUNS): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs && shortest > QUICK_MS; run += 1) {
    const begun = process.cpuUsage();
    await work().catch(() => {});
    shortest = Math.min(shortest, since(begun));
  }
  return shortest;
}

function since(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}
