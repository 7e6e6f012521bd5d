import { tabStorage } from '../db/web-storage.ts';

type Task = () => Promise<void>;

const tasks = new Set<Task>();

/** Registers a task to finish before the app reloads itself. @returns how to remove it */
export function beforeReload(task: Task): () => void {
  tasks.add(task);
  return () => tasks.delete(task);
}

/** Resolves once everything typed is saved and every picked file is copied, or could not be. */
export async function readyToReload(): Promise<void> {
  await Promise.allSettled([...tasks].map((task) => task()));
}

export async function saveAndReload(): Promise<void> {
  await readyToReload();
  location.reload();
}

const RELOADED_KEY = 'renewed-at';
/** Between two servers of different versions a page must not reload for ever. */
const AGAIN_AFTER_MS = 30_000;

/**
 * Called when a part of the app could not be loaded. If this page belongs to an older version than
 * the one now served, it reloads once everything typed is saved.
 */
export async function renewIfOutdated(): Promise<void> {
  if ((await isOutdated()) && mayReload()) await saveAndReload();
}

/** Whether the worker, or the server, now serves a page with another script than this page's. */
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
  const last = Number(tabStorage.read(RELOADED_KEY) ?? 0);
  const isNoted = tabStorage.write(RELOADED_KEY, String(Date.now()));
  return isNoted && Date.now() - last > AGAIN_AFTER_MS;
}
