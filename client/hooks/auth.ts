import type { CurrentUser } from '../../shared/api/user.ts';
import { STORAGE_KEY_AUTH_TOKEN, STORAGE_KEY_LOGGED_IN } from '../../shared/limits.ts';
import { noteSessionEnded, noteSignedIn } from '../db/device.ts';
import { createExternalStore, useExternalStore } from './external-store.ts';

export interface AuthState {
  /** What this browser last knew; the server alone decides what a call may do. */
  isLoggedIn: boolean;
  /** Null until it is loaded. Kept in memory only. */
  user: CurrentUser | null;
}

/**
 * Whether this browser remembers somebody as signed in. Its storage may be forbidden; being
 * signed in then lasts as long as the page.
 */
export function readFlag(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY_LOGGED_IN) === 'true';
  } catch {
    return false;
  }
}

export function writeFlag(isLoggedIn: boolean): void {
  try {
    if (isLoggedIn) {
      localStorage.setItem(STORAGE_KEY_LOGGED_IN, 'true');
    } else {
      localStorage.removeItem(STORAGE_KEY_LOGGED_IN);
      localStorage.removeItem(STORAGE_KEY_AUTH_TOKEN);
    }
  } catch {
    // Nothing to do: the state in memory is right.
  }
}

const VISITOR: AuthState = { isLoggedIn: false, user: null };
export const auth = createExternalStore<AuthState>({ ...VISITOR, isLoggedIn: readFlag() }, VISITOR);

// Signing in or out in one tab counts in every other one. The build renders without a window.
globalThis.window?.addEventListener('storage', ({ key }) => {
  if (key !== null && key !== STORAGE_KEY_LOGGED_IN) return;
  const isLoggedIn = readFlag();
  if (isLoggedIn !== auth.get().isLoggedIn) auth.set({ isLoggedIn, user: null });
});

export function authState(): AuthState {
  return auth.get();
}

export function useAuth(): AuthState {
  return useExternalStore(auth);
}

/** The device notes the person before the flag is set: with the flag set, it never names anybody else. */
export async function signedIn(user: CurrentUser): Promise<void> {
  await noteSignedIn(user.id);
  writeFlag(true);
  auth.set({ isLoggedIn: true, user });
}

/** After signing out, and after any 401. */
export function signedOut(): void {
  writeFlag(false);
  void noteSessionEnded().catch(() => undefined);
  // The number on the app's icon was this person's. Every page loads this module, so the calls of
  // sync/badge.ts stay out of it.
  globalThis.navigator?.clearAppBadge?.().catch(() => undefined);
  const { isLoggedIn, user } = auth.get();
  if (isLoggedIn || user) auth.set({ isLoggedIn: false, user: null });
}

/** The person as just loaded or changed; ignored once signed out. */
export function userChanged(user: CurrentUser): void {
  if (auth.get().isLoggedIn) auth.set({ user });
}
