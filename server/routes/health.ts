import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import { assertOwnFiles } from '../domain/storage/store-identity.ts';
import type { App } from '../http/context.ts';

/** How long `/readyz` waits for the database before it says no, in milliseconds. */
const READY_WITHIN_MS = 3_000;
/** Anybody may ask, and each look writes to the disk: so long one look answers all. */
const LOOK_LASTS_MS = 1_000;

/** What the machine that runs the server asks it. */
export function healthRoutes(
  app: App,
  { db, files, lifecycle }: Pick<Deps, 'db' | 'files' | 'lifecycle'>,
): void {
  let look: { at: number; answers: Promise<unknown> } | null = null;

  function lookOnce(): Promise<unknown> {
    const now = performance.now();
    if (look === null || now - look.at >= LOOK_LASTS_MS) {
      const answers = Promise.all([assertOwnFiles({ db, files }), files.check()]);
      look = { at: now, answers: Promise.race([answers, tooLate()]) };
    }
    return look.answers;
  }

  app.get('/healthz', (c) => c.json({ status: 'ok' }));

  app.get('/readyz', async (c) => {
    if (lifecycle.stopping)
      throw new AppError('UNAVAILABLE', { message: 'The server is stopping.' });
    try {
      await lookOnce();
    } catch (cause) {
      throw new AppError('UNAVAILABLE', { message: 'Database or storage does not answer.', cause });
    }
    return c.json({ status: 'ready' });
  });
}

async function tooLate(): Promise<never> {
  await delay(READY_WITHIN_MS, undefined, { ref: false });
  throw new Error('too slow');
}
