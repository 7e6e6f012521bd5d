/**
 * Works under a Web Lock that all pages and the worker share. Where a browser has none (plain
 * http) or refuses them (blocked storage) the work is done without: what it writes bears that,
 * it only costs doing some of it twice.
 * @param work is told whether it has the lock: with `ifAvailable` it may have not
 */
export async function withLock(
  name: string,
  options: LockOptions,
  work: (isHeld: boolean) => Promise<void>,
): Promise<void> {
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) return work(true);
  let isRefused = true;
  try {
    await locks.request(name, options, (lock) => {
      isRefused = false;
      return work(lock !== null);
    });
  } catch (error) {
    const isGivenUp = options.signal?.aborted ?? false;
    if (!isRefused || isGivenUp) throw error;
    await work(true);
  }
}
