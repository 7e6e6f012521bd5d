import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** What `look` finds, as soon as it is not null; an error when that takes more than 30 seconds. */
export async function until<T>(look: () => T | null | Promise<T | null>): Promise<T> {
  const giveUpAt = performance.now() + 30_000;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > giveUpAt) throw new Error('What was waited for did not happen.');
    await delay(LOOK_EVERY_MS);
  }
}
