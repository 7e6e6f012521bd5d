/** A page that is being reloaded still holds the row for a moment. */
const RELOAD_MS = 300;

/**
 * Only one page at a time writes in a draft or contribution: the one that has it open, or that its
 * person goes on in.
 * Where the browser has no locks (plain http) or refuses them, each page may.
 * @param onChange is told whether this page may write
 */
export function holdRow(
  id: string,
  onChange: (mayWrite: boolean) => void,
): { take: () => void; release: () => void } {
  const locks: LockManager | undefined = navigator.locks;
  const leaving = new AbortController();
  const { signal } = leaving;
  const left = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
  let told: ReturnType<typeof setTimeout> | undefined;

  async function hold(options: LockOptions): Promise<void> {
    let isRefused = true;
    try {
      await locks?.request(`time-capsule-draft ${id}`, options, async (lock) => {
        isRefused = false;
        if (signal.aborted) return;
        clearTimeout(told);
        if (!lock) told = setTimeout(onChange, RELOAD_MS, false);
        else {
          onChange(true);
          await left;
        }
      });
    } catch {
      // Given up, refused, or taken by another page.
      if (!isRefused) onChange(false);
    }
    // The next turn is this page's.
    if (!isRefused && !signal.aborted) await hold({ signal });
  }

  void hold({ ifAvailable: true });
  return { take: () => void hold({ steal: true }), release: () => leaving.abort() };
}
