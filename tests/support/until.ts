import { setTimeout as delay } from 'node:timers/promises';

interface Patience {
  seconds?: number;
  /** Between two looks, in milliseconds; looks that are work for a browser should be rare. */
  everyMs?: number;
}

/** What `look` finds, as soon as it is neither null nor false; an error when that takes too long. */
export async function until<T>(
  look: () => T | null | Promise<T | null>,
  { seconds = 30, everyMs = 20 }: Patience = {},
): Promise<T> {
  const giveUpAt = performance.now() + seconds * 1_000;
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    if (performance.now() > giveUpAt) throw new Error('What was waited for did not happen.');
    await delay(everyMs);
  }
}
