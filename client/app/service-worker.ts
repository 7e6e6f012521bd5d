/// <reference types="trusted-types" />
import { toasts } from '../components/toast.tsx';
import { readyToReload, saveAndReload } from '../hooks/reload.ts';
import { OUTBOX, PAUSE_LOCK } from '../sync/locks.ts';

const WORKER = '/sw.js';
/** A page that is still there after this long is being looked at. */
const SETTLED_MS = 1_000;
const UPDATE_CHECK_MS = 60 * 60_000;
/** A new worker that has not taken over by then does so later; the queue must not wait for it. */
const ACTIVATE_MS = 60_000;
/** Longer than a reload takes: the queue stands still until the page is gone. */
const RELOAD_MS = 10_000;

const NEW_VERSION = 'A new version is ready.';

/** Registers the service worker once the page has loaded, and offers each new version of the app. */
export function startServiceWorker(): void {
  const start = async () => {
    // WebKit can lose the install of a page that is left at once, and then finishes none until the
    // browser is started anew. Whoever leaves at once registers on the next page.
    if (!navigator.serviceWorker?.controller) await delay(SETTLED_MS);
    // A browser, a policy or a private window may forbid workers: the app works without one.
    if (navigator.serviceWorker) register().catch(() => undefined);
  };
  if (document.readyState === 'complete') void start();
  else window.addEventListener('load', () => void start());
}

async function register(): Promise<void> {
  let offer: number | null = null;
  let isUpdating = false;
  let isActive = false;
  // The first worker of all belongs to the same version as the page.
  let hadWorker = navigator.serviceWorker.controller !== null;

  const offerUpdate = () => {
    isActive = false;
    offer = toasts.offer(NEW_VERSION, { label: 'Update', run: startUpdate });
  };
  const startUpdate = async () => {
    isUpdating = true;
    await saying(update(registration, () => isActive)).finally(() => {
      isUpdating = false;
    });
    // Still here: the browser asked whether to leave, and the person stayed.
    toasts.offer(NEW_VERSION, { label: 'Reload', run: () => saying(reload()) });
  };

  navigator.serviceWorker.addEventListener('controllerchange', () => {
    isActive = hadWorker;
    hadWorker = true;
    if (!isActive || isUpdating) return;
    // Another tab has updated. This one is not reloaded under the person's hands.
    if (offer !== null) toasts.dismiss(offer);
    toasts.offer('The app was updated in another tab.', {
      label: 'Reload',
      run: () => saying(reload()),
    });
  });

  // TypeScript's library doesn't know trusted addresses here.
  const registration = await navigator.serviceWorker.register(workerAddress() as string);
  onWaiting(registration, offerUpdate);
  // Without a connection it is asked again an hour later.
  setInterval(() => void registration.update().catch(() => undefined), UPDATE_CHECK_MS);
}

/** The page's policy allows one script address to be made: the worker's. */
function workerAddress(): string | TrustedScriptURL {
  if (!window.trustedTypes) return WORKER;
  const policy = window.trustedTypes.createPolicy('timecapsule', {
    createScriptURL: (address) => {
      if (address !== WORKER) throw new TypeError('Only the service worker may be loaded');
      return address;
    },
  });
  return policy.createScriptURL(WORKER);
}

/** Reports each worker that waits for its turn. */
function onWaiting(registration: ServiceWorkerRegistration, report: () => void): void {
  let reported: ServiceWorker | null = null;
  const look = () => {
    const { active, waiting } = registration;
    if (!active || !waiting || waiting === reported) return;
    reported = waiting;
    report();
  };
  const watch = () => registration.installing?.addEventListener('statechange', look);
  registration.addEventListener('updatefound', watch);
  watch();
  look();
}

/** Reloads into the new version once everything typed is saved and nothing is being sent. */
async function update(
  registration: ServiceWorkerRegistration,
  isActive: () => boolean,
): Promise<void> {
  await readyToReload();
  await nothingOpen();
  const isReady = await navigator.locks.request(PAUSE_LOCK, { mode: 'shared' }, async () => {
    // Not held: the old worker may wait for this lock, and must end before the new one starts.
    await navigator.locks.request(OUTBOX, async () => undefined);
    if (!isActive()) {
      await new Promise<unknown>((resolve) => {
        setTimeout(resolve, ACTIVATE_MS);
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
        registration.waiting?.postMessage({ type: 'SKIP_WAITING' });
      });
    }
    // Who has begun something meanwhile doesn't hold up what is sent.
    if (isSomethingOpen()) return false;
    await saveAndReload();
    await delay(RELOAD_MS);
    return true;
  });
  if (!isReady) await reload();
}

/** Says what it waits for. */
async function saying(work: Promise<void>): Promise<void> {
  const note = toasts.notice('The new version starts as soon as everything here is saved.');
  await work.finally(() => toasts.dismiss(note));
}

async function reload(): Promise<void> {
  await nothingOpen();
  await saveAndReload();
}

async function nothingOpen(): Promise<void> {
  while (isSomethingOpen()) await delay(500);
}

/** What is chosen in an open dialog is not yet part of a draft. */
function isSomethingOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
