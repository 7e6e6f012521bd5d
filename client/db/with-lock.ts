/**
 * Runs `work` under a Web Lock. Where the browser has no locks (plain http) or refuses them (blocked
 * storage), `work` runs without: page and worker may then do the same twice, which does no harm.
 * @param work is told whether the lock is held: with `ifAvailable` somebody else may have it
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
