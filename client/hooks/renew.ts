import { readyToReload } from './before-reload.ts';

const KEY = 'renewed-at';
/** Between two servers of different versions a page must not reload for ever. */
const AGAIN_AFTER_MS = 30_000;

/**
 * For when a part of the app did not come. If that is because this page is of an older version
 * than the app now is, it starts anew at the same address once everything typed is kept.
 */
export async function renewIfOutdated(): Promise<void> {
  if (!(await isOutdated()) || !mayReload()) return;
  await readyToReload();
  location.reload();
}

/** Whether the app's page, from the worker or the server, begins with another script than this one. */
async function isOutdated(): Promise<boolean> {
  try {
    const script = document.querySelector<HTMLScriptElement>('script[type=module][src]');
    const own = script?.getAttribute('src');
    const page = await fetch('/index.html', { cache: 'no-store' });
    return typeof own === 'string' && page.ok && !(await page.text()).includes(own);
  } catch {
    // No network and no worker: nobody knows.
    return false;
  }
}

function mayReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    sessionStorage.setItem(KEY, String(Date.now()));
    return Date.now() - last > AGAIN_AFTER_MS;
  } catch {
    return false;
  }
}
