/*
 * What of the dashboard a person wanted to see when they turned out not to be signed in. For this
 * tab only, and gone once they are there or have left by themselves.
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

export function forgetWantedPage(): void {
  tabStorage((storage) => storage.removeItem(KEY));
}
