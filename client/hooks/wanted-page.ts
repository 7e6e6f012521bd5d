/*
 * What of the dashboard a person wanted to see when they turned out not to be signed in, and
 * whether that came without their doing. For this tab only, and gone once they are there or have
 * left by themselves.
 */

const KEY = 'wanted-page';
const START = '/dashboard';

/** Storage may be forbidden: a sign-in then leads to the dashboard's start. */
function tabStorage(use: (storage: Storage) => unknown): string | null {
  try {
    const kept = use(sessionStorage);
    return typeof kept === 'string' ? kept : null;
  } catch {
    return null;
  }
}

/** Remembers an address within the dashboard; any other has no say in where a sign-in leads. */
export function rememberWantedPage(address: string): void {
  if (address.startsWith(`${START}?`)) tabStorage((storage) => storage.setItem(KEY, address));
}

/** Where a sign-in leads. */
export function wantedPage(): string {
  return tabStorage((storage) => storage.getItem(KEY)) ?? START;
}

let ended = false;
let isLeaving = false;

/** The session has ended while a person was at this address. */
export function noteSessionEnd(address: string): void {
  rememberWantedPage(address);
  ended = !isLeaving;
}

/** Whether a session has ended by itself, and nobody has signed in since. */
export function hasSessionEnded(): boolean {
  return ended;
}

/** The person is about to leave: that their session ends is no news to them. */
export function startLeaving(): void {
  isLeaving = true;
}

export function forgetWantedPage(): void {
  ended = false;
  isLeaving = false;
  tabStorage((storage) => storage.removeItem(KEY));
}
