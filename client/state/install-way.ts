import { useExternalStore } from './external-store.ts';
import { install } from './install.ts';

/**
 * How the app gets onto this device's home screen: by the browser's own question, or by hand
 * where Safari on iPhone and iPad has none. Null where it is there already, or cannot get there.
 */
export type InstallWay = 'prompt' | 'by-hand' | null;

export function useInstallWay(): InstallWay {
  const { offer, isInstalled } = useExternalStore(install);
  if (isInstalled || isStandalone()) return null;
  if (offer) return 'prompt';
  return isSafariOnIos() ? 'by-hand' : null;
}

/** Asks as the browser asks. Whatever is answered, it can be asked once only. */
export async function promptInstall(): Promise<void> {
  const { offer } = install.get();
  install.set({ offer: null });
  await offer?.prompt();
}

function isStandalone(): boolean {
  return matchMedia('(display-mode: standalone)').matches || safariSays() === true;
}

/** WebKit on iPhone and iPad alone says whether the page was started from the home screen. */
function safariSays(): boolean | undefined {
  return 'standalone' in navigator ? navigator.standalone === true : undefined;
}

/** The other browsers there are WebKit too, but their menus differ. */
function isSafariOnIos(): boolean {
  const others =
    /CriOS|FxiOS|EdgiOS|OPiOS|OPT\/|GSA\/|DuckDuckGo|Brave|YaBrowser|FBAN|FBAV|Instagram/;
  return safariSays() === false && !others.test(navigator.userAgent);
}
