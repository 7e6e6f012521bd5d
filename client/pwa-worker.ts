/// <reference types="trusted-types" />
import { Workbox } from 'workbox-window';
import { takeFaces } from './app-faces.ts';
import { readyToReload } from './state/before-reload.ts';
import { finishSignOut } from './state/finish-sign-out.ts';
import { renewIfOutdated } from './state/renew.ts';
import { OUTBOX_LOCK, PAUSE_LOCK } from './sync/sync-tag.ts';
import { toasts } from './ui/toast-store.ts';

const WORKER = '/sw.js';

/** An open app asks for a new version this often. */
const UPDATE_CHECK_MS = 60 * 60_000;

const QUIET_MS = 1_000;

/** A page that never comes to rest is not waited for any longer. */
const UNREST_MS = 10_000;

/** A page that is left is gone by then. */
const RELOAD_MS = 10_000;

/** A new worker that does not come in this time comes by itself later: the queue goes on until then. */
const ACTIVATE_MS = 60_000;

/** The page's policy allows exactly one script address to be made: the worker's. */
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

/** Never throws. */
export async function startWorker(): Promise<void> {
  void takeFaces();
  // A part that is gone with its version: the app starts anew, keeping what is typed.
  window.addEventListener('vite:preloadError', () => void renewIfOutdated());
  // Whatever fails is tried again with the next connection, the next start and before any call.
  const goOn = () => void finishSignOut().catch(() => undefined);
  window.addEventListener('online', goOn);
  goOn();
  // Blocked by the person, a policy or a private window: the app works without one, only it
  // does not start offline, and the queue moves while a page is open.
  if (navigator.serviceWorker) await register().catch(() => undefined);
}

/** Registers the worker, and offers each new version of the app. */
async function register(): Promise<void> {
  const { serviceWorker } = navigator;
  const workbox = new Workbox(workerAddress());
  let offer: number | null = null;
  let isUpdating = false;
  let isActive = false;
  // The first worker of all comes to a page that is of its own version.
  let hadWorker = serviceWorker.controller !== null;

  const offerUpdate = () => {
    isActive = false;
    offer = toasts.offer('A new version is ready.', {
      label: 'Update',
      run: async () => {
        isUpdating = true;
        const note = toasts.notice(
          'The new version starts as soon as everything here is kept on this device.',
        );
        await update(workbox, () => isActive).finally(() => {
          isUpdating = false;
          toasts.dismiss(note);
        });
        // The person was asked by the browser, and has stayed.
        toasts.offer('A new version is ready.', { label: 'Reload', run: reload });
      },
    });
  };

  serviceWorker.addEventListener('controllerchange', () => {
    isActive = hadWorker;
    hadWorker = true;
    if (!isActive || isUpdating) return;
    // Another tab has taken the new version. Nobody is torn from what they do here; parts of
    // this version that are gone now are handled where they are missed.
    if (offer !== null) toasts.dismiss(offer);
    toasts.offer('The app was updated in another tab.', { label: 'Reload', run: reload });
  });

  const registration = await workbox.register();
  if (registration) onWaiting(registration, offerUpdate);
  setInterval(() => void workbox.update(), UPDATE_CHECK_MS);
}

/** Tells of each worker that waits for its turn. Workbox itself hears of one later version only. */
function onWaiting(registration: ServiceWorkerRegistration, tell: () => void): void {
  let told: ServiceWorker | null = null;
  const look = () => {
    const { active, waiting } = registration;
    // The first of all waits for nobody.
    if (!active || !waiting || waiting === told) return;
    told = waiting;
    tell();
  };
  const watch = () => registration.installing?.addEventListener('statechange', look);
  registration.addEventListener('updatefound', watch);
  watch();
  look();
}

/**
 * Starts the app anew in its new version: when what is typed is kept and nothing is being sent,
 * which stays so until the page is gone.
 */
async function update(workbox: Workbox, isActive: () => boolean): Promise<void> {
  await readyToReload();
  await untilNoDialog();
  await navigator.locks.request(PAUSE_LOCK, { mode: 'shared' }, async () => {
    const stillSends = setTimeout(() => {
      toasts.success('The new version starts as soon as what is being sent has left.');
    }, 1_000);
    // Free again at once: nothing is sent while an update waits, and the old worker, which may
    // stand in line too, must come to its end before the new one begins.
    await navigator.locks.request(OUTBOX_LOCK, async () => clearTimeout(stillSends));
    // The new worker first drops the old version's files, so this page starts anew with it.
    if (!isActive()) await activate(workbox, isActive);
    await reload();
    // The person may have been asked, and have stayed: then the queue goes on.
    await delay(RELOAD_MS);
  });
}

/** Resolves when the new worker has taken this page over, or is not to be waited for any longer. */
async function activate(workbox: Workbox, isActive: () => boolean): Promise<void> {
  // It begins when the old one has nothing to do. In Chromium one that is asked for something
  // while it goes comes back, for half a minute or more.
  await untilQuiet();
  // Another tab was quiet first.
  if (isActive()) return;
  await new Promise<unknown>((resolve) => {
    setTimeout(resolve, ACTIVATE_MS);
    navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
    workbox.messageSkipWaiting();
  });
}

/** Resolves when this page has loaded nothing for a while, or goes on and on. */
function untilQuiet(): Promise<void> {
  return new Promise((resolve) => {
    const isQuiet = () => {
      observer.disconnect();
      resolve();
    };
    setTimeout(isQuiet, UNREST_MS);
    let timer = setTimeout(isQuiet, QUIET_MS);
    const observer = new PerformanceObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(isQuiet, QUIET_MS);
    });
    observer.observe({ type: 'resource' });
  });
}

/** What was typed while one waited is kept too. */
async function reload(): Promise<void> {
  await untilNoDialog();
  await readyToReload();
  location.reload();
}

/** What is chosen in a dialog is no part of a draft yet. */
async function untilNoDialog(): Promise<void> {
  while (document.querySelector('dialog[open]')) await delay(500);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
