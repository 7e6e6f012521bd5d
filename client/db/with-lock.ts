/**
 * Works under a Web Lock. Where the browser has none (plain http) or refuses them (blocked
 * storage) the work is done without: some of it may then be done twice, which does no harm.
 * @param work is told whether it holds the lock: with `ifAvailable` it may not
 */
export async function withLock(
  name: string,
  options: LockOptions,
  work: (isHeld: boolean) => Promise<void>,
): Promise<void> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
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
