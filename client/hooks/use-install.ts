import { createExternalStore, useExternalStore } from './store.ts';

/** Chromium's offer to install the app; TypeScript's library does not have it. */
interface InstallEvent extends Event {
  prompt: () => Promise<unknown>;
}

interface InstallState {
  /** The browser's own offer, kept until it is needed; it can be used once. */
  offer?: InstallEvent | null;
  /** Installed while this page was open. */
  isInstalled?: boolean;
}

const install = createExternalStore<InstallState>({});

/** The browser fires its offer early and only once, so this listens before anything is shown. */
export function watchInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    install.set({ offer: event as InstallEvent });
  });
  window.addEventListener('appinstalled', () => install.set({ offer: null, isInstalled: true }));
}

/**
 * How the app can be installed here: by the browser's own prompt, or by hand in Safari on iPhone
 * and iPad, which has none. Null when it is installed already or cannot be.
 */
export type InstallWay = 'prompt' | 'by-hand' | null;

export function useInstallWay(): InstallWay {
  const { offer, isInstalled } = useExternalStore(install);
  if (isInstalled || isStandalone()) return null;
  if (offer) return 'prompt';
  return isSafariOnIos() ? 'by-hand' : null;
}

/** Shows the browser's prompt, which works only once, whatever the answer. */
export async function promptInstall(): Promise<void> {
  const { offer } = install.get();
  install.set({ offer: null });
  await offer?.prompt();
}

function isStandalone(): boolean {
  return matchMedia('(display-mode: standalone)').matches || safariSays() === true;
}

/** Only WebKit on iPhone and iPad says whether the page was started from the home screen. */
function safariSays(): boolean | undefined {
  return 'standalone' in navigator ? navigator.standalone === true : undefined;
}

/** Other browsers on iOS are WebKit too, but their menus differ. */
function isSafariOnIos(): boolean {
  const others =
    /CriOS|FxiOS|EdgiOS|OPiOS|OPT\/|GSA\/|DuckDuckGo|Brave|YaBrowser|FBAN|FBAV|Instagram/;
  return safariSays() === false && !others.test(navigator.userAgent);
}
