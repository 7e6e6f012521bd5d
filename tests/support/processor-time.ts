/**
 * How much processor time a piece of work takes, in milliseconds: of three runs the shortest, as the
 * first one compiles and others tidy up memory. What other processes do meanwhile does not count.
 */
export function processorMs(work: () => unknown): number {
  return Math.min(...[1, 2, 3].map(() => timed(work)));
}

function timed(work: () => unknown): number {
  const before = process.cpuUsage();
  try {
    work();
  } catch {
    // What is refused takes time as well.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
