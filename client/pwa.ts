/// <reference types="trusted-types" />
import { readyToReload } from './state/before-reload.ts';
import { toasts } from './ui/toast-store.ts';

const WORKER = '/sw.js';

/** An open app asks for a new version this often. */
const UPDATE_CHECK_MS = 60 * 60_000;

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

async function register(): Promise<void> {
  const { Workbox } = await import('workbox-window');
  const workbox = new Workbox(workerAddress());

  workbox.addEventListener('waiting', () => {
    toasts.offer('A new version is ready.', {
      label: 'Update',
      run: async () => {
        await readyToReload();
        // The new worker first drops the old version's files, so this page starts anew with it.
        workbox.addEventListener('controlling', () => location.reload());
        workbox.messageSkipWaiting();
      },
    });
  });

  await workbox.register();
  setInterval(() => void workbox.update(), UPDATE_CHECK_MS);
}

/** Registers the worker once the page has loaded, so that it does not compete with the first view. */
export function startWorker(): void {
  if (!navigator.serviceWorker) return;
  const start = () => {
    // Blocked by the person, a policy or a private window: the app works without one, only it
    // does not start offline, and the queue moves while a page is open.
    register().catch(() => undefined);
  };
  if (document.readyState === 'complete') start();
  else window.addEventListener('load', start, { once: true });
}
