/** A full device may have room again at any time. */
export const RETRY_AFTER_MS = 3_000;

/**
 * One write at a time; later changes wait and go together. A failed write is tried again.
 * @param write what has changed until now
 * @param onIdle nothing is left to write, also after a failure that has passed
 */
export function createRowSaver(
  write: () => Promise<void>,
  onFailed: (error: unknown) => void,
  onIdle: () => void,
) {
  let isWaiting = false;
  let isWriting = false;
  let running = Promise.resolve(true);
  let retry: ReturnType<typeof setTimeout> | undefined;
  let drops = 0;

  const run = async (): Promise<boolean> => {
    clearTimeout(retry);
    const before = drops;
    isWriting = true;
    try {
      while (isWaiting) {
        isWaiting = false;
        await write();
      }
    } catch (error) {
      if (drops !== before) return true;
      isWaiting = true;
      retry = setTimeout(flush, RETRY_AFTER_MS);
      onFailed(error);
      return false;
    } finally {
      isWriting = false;
    }
    onIdle();
    return true;
  };
  const flush = () => {
    if (!isWriting) running = run();
    return running;
  };
  return {
    /** Resolves when nothing is left to write, with whether all of it is written. */
    flush,
    /** Writes what has changed at once, or as soon as the running write ends. */
    save: () => {
      isWaiting = true;
      void flush();
    },
    /** Something is not written yet. */
    isBehind: () => isWaiting || isWriting,
    /** Lets go of what is not written: the row is sealed, sent or discarded. */
    drop: () => {
      clearTimeout(retry);
      drops += 1;
      isWaiting = false;
    },
  };
}
