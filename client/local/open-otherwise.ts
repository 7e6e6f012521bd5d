import type { OpenRequest, Standing, Trouble } from './engine.ts';

/*
 * What a page does when the browser's database cannot be opened. It comes only then.
 */

/** Right after its data was cleared a browser may fail to open a database for a moment. */
const PASSING = ['UnknownError', 'AbortError'];
const PASSING_TRIES = 5;
const PASSING_PAUSE_MS = 200;

/** An older tab closes its connection as soon as it is asked to; one that sleeps cannot. */
const HELD_MAX_MS = 3_000;

const tries = new WeakMap<OpenRequest, number>();

/** Tries again where that may help, else goes on in this page's memory. */
export function whenRefused(request: OpenRequest, standing: Standing, error: unknown): void {
  const name = error instanceof Error ? error.name : '';
  const count = (tries.get(request) ?? 0) + 1;
  tries.set(request, count);
  if (PASSING.includes(name) && count < PASSING_TRIES) {
    setTimeout(() => request.start(), PASSING_PAUSE_MS);
  } else {
    const why = name === 'VersionError' ? 'newer' : 'unavailable';
    void goOnInMemory(request, standing, why, error);
  }
}

/** Waits a little for the tab that holds the database at an older version. */
export function whenHeld(request: OpenRequest, standing: Standing, held: IDBOpenDBRequest): void {
  setTimeout(() => {
    if (!request.isHeld) return;
    // Too late from here on: this page lives in its memory, and the next one will upgrade.
    held.onupgradeneeded = () => held.transaction?.abort();
    held.onsuccess = () => held.result.close();
    held.onerror = (event) => event.preventDefault();
    const error = new DOMException('Held by another tab', 'AbortError');
    void goOnInMemory(request, standing, 'held', error);
  }, HELD_MAX_MS);
}

async function goOnInMemory(
  request: OpenRequest,
  standing: Standing,
  why: Trouble,
  error: unknown,
): Promise<void> {
  const { page } = standing;
  try {
    standing.memory ??= (await page?.loadMemory()) ?? null;
  } catch {
    // Said below.
  }
  if (!page || !standing.memory) {
    request.fail(error);
    return;
  }
  page.onTrouble(why);
  request.start();
}
