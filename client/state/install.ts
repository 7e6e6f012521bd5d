import { createExternalStore } from './external-store.ts';

/** Not in TypeScript's library: Chromium's offer to put the app on the home screen. */
export interface InstallEvent extends Event {
  prompt: () => Promise<unknown>;
}

interface InstallState {
  /** The browser's own offer, held back until it is wanted; it can be used once. */
  offer?: InstallEvent | null;
  /** Put on the home screen while this page was open. */
  isInstalled?: boolean;
  /** The app was of worth since it was started: a capsule was sealed. */
  hasSealed?: boolean;
}

export const install = createExternalStore<InstallState>({});

/** The browser offers early and only once: this listens from the first moment on. */
export function watchInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    install.set({ offer: event as InstallEvent });
  });
  window.addEventListener('appinstalled', () => install.set({ offer: null, isInstalled: true }));
}
