import type { BrowserContext, Page } from 'playwright-core';
import { until } from './until.ts';

/** `client/sync/locks.ts` has it; only a browser can load that. */
const OUTBOX = 'time-capsule-outbox';

/**
 * The browser wakes the worker with the queue's own sync event, right now. It has to be asked:
 * the emulated network is the pages' and the worker's alone. The browser itself, which decides
 * when to sync, was never offline, and tries a second time only minutes later.
 */
export async function dispatchSync(context: BrowserContext, page: Page): Promise<void> {
  await dispatchFrom(context, page, new URL(page.url()).origin);
}

/** The connection is back, and no page of the app is open. @param origin of the app */
export async function backOnline(
  context: BrowserContext,
  origin: string,
  tag = OUTBOX,
): Promise<void> {
  await context.setOffline(false);
  // A worker that runs hears of it a moment later; asked before, it leaves all for another time.
  for (const worker of context.serviceWorkers()) {
    await until(() => worker.evaluate<boolean>('navigator.onLine').catch(() => true));
  }
  const blank = await context.newPage();
  await dispatchFrom(context, blank, new URL(origin).origin, tag);
  await blank.close();
}

async function dispatchFrom(
  context: BrowserContext,
  page: Page,
  origin: string,
  tag = OUTBOX,
): Promise<void> {
  const { session, registrationId } = await workerRegistration(context, page, origin);
  await session.send('ServiceWorker.dispatchSyncEvent', {
    origin,
    registrationId,
    tag,
    lastChance: false,
  });
  await session.detach();
}

/** What the browser calls the worker of this origin, for events that only the browser can send. */
export async function workerRegistration(context: BrowserContext, page: Page, origin: string) {
  const session = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(
        ({ scopeURL, isDeleted }) => scopeURL === `${origin}/` && !isDeleted,
      );
      if (ours) resolve(ours.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  return { session, registrationId: await registered };
}
