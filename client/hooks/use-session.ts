import type { CurrentUser } from '../../shared/api/user.ts';
import { STORAGE_KEY_AUTH_TOKEN, STORAGE_KEY_LOGGED_IN } from '../../shared/limits.ts';
import { noteSessionEnded, noteSignedIn, readSession } from '../db/device.ts';
import { deviceStorage, tabStorage } from '../db/web-storage.ts';
import { createExternalStore, useExternalStore } from './store.ts';

export interface AuthState {
  /** What this browser last knew; the server alone decides what a call may do. */
  isLoggedIn: boolean;
  /** Null until it is loaded. Kept in memory only. */
  user: CurrentUser | null;
}

/** Whether this browser remembers somebody as signed in. */
export function readFlag(): boolean {
  return deviceStorage.read(STORAGE_KEY_LOGGED_IN) === 'true';
}

/** Where storage is forbidden, a sign-in lasts as long as the page. */
export function writeFlag(isLoggedIn: boolean): void {
  deviceStorage.write(STORAGE_KEY_LOGGED_IN, isLoggedIn ? 'true' : null);
  if (!isLoggedIn) deviceStorage.write(STORAGE_KEY_AUTH_TOKEN, null);
}

const VISITOR: AuthState = { isLoggedIn: false, user: null };
export const auth = createExternalStore<AuthState>({ ...VISITOR, isLoggedIn: readFlag() }, VISITOR);

// Signing in or out in one tab counts in every other one. The build renders without a window.
globalThis.window?.addEventListener('storage', ({ key }) => {
  if (key !== null && key !== STORAGE_KEY_LOGGED_IN) return;
  const isLoggedIn = readFlag();
  const { isLoggedIn: was, user } = auth.get();
  if (isLoggedIn === was) return;
  const { pathname, search } = location;
  const isNews = !isLoggedIn && !isLeaving;
  if (!isLoggedIn) forgetWantedPage();
  // In memory alone: perhaps the person has signed out there, and then this device keeps nothing of them.
  if (user && OWN_PAGES.test(pathname)) wanted.set({ page: pathname + search, of: user.id });
  ended = isNews ? 'elsewhere' : null;
  auth.set({ isLoggedIn, user: null });
});

export function authState(): AuthState {
  return auth.get();
}

export function useAuth(): AuthState {
  return useExternalStore(auth);
}

/** The device notes the person before the flag is set, so that a set flag never stands for anybody else. */
export async function signedIn(user: CurrentUser): Promise<void> {
  await noteSignedIn(user.id);
  newAccount.set({ email: '', mustVerify: false });
  writeFlag(true);
  auth.set({ isLoggedIn: true, user });
}

/** After signing out, and after any 401. */
export function sessionEnded(): void {
  writeFlag(false);
  void noteSessionEnded().catch(() => undefined);
  // The number on the app's icon was this person's.
  globalThis.navigator?.clearAppBadge?.().catch(() => undefined);
  const { isLoggedIn, user } = auth.get();
  if (isLoggedIn || user) auth.set({ isLoggedIn: false, user: null });
}

/** The person as just loaded or changed; ignored once signed out. */
export function userChanged(user: CurrentUser): void {
  if (auth.get().isLoggedIn) auth.set({ user });
}

let settled: Promise<void> | null = null;

// A sign-out, in this tab or another one, may have to be finished before the next call.
auth.subscribe(() => {
  settled = null;
});

/**
 * Resolves once no sign-out waits to be finished: every call of the page waits for this.
 * @throws when the server could not be told of a sign-out; the next call tries again
 */
export function settleSignOut(): Promise<void> {
  settled ??= settle().catch((error: unknown) => {
    settled = null;
    throw error;
  });
  return settled;
}

/** Stands in where the device's storage cannot be read and the flag is not set: any session is ended. */
const UNKNOWN = { userId: null, signOut: { userId: '', xsrf: '' } };

async function settle(): Promise<void> {
  const session = await readSession().catch(() => (authState().isLoggedIn ? null : UNKNOWN));
  if (!session?.signOut) return;
  if (session.userId === null && authState().isLoggedIn) sessionEnded();
  const { finishSignOut } = await import('../sync/finish-sign-out.ts');
  await finishSignOut(session.signOut);
}

/*
 * Where the next sign-in leads, and whether the session ended by itself. Both last for this tab,
 * until the person has signed in or signs out.
 */

const WANTED_KEY = 'wanted-page';
const DASHBOARD = '/dashboard';

/** `of` is the only person whom it leads there; empty for anybody. */
const NOTHING = { page: DASHBOARD, of: '' };
const wanted = createExternalStore<typeof NOTHING>(
  { ...NOTHING, ...Object(tabStorage.readJson(WANTED_KEY)) },
  NOTHING,
);

const PAGES = /^\/(dashboard\?|dashboard\/bin|create\b|profile\/(addresses|sign-in)\b)/;
const OWN_PAGES = /^\/(create|outbox|profile)\b/;

/**
 * Remembers where an email or a visitor's wish leads: an address within the dashboard, such as a
 * capsule's, the bin, the page that creates one, or those of addresses and sign-ins; for one person (`of`),
 * a page of their own, which stays theirs. Others are ignored, and so is what was searched for: another
 * person may sign in next.
 */
export function rememberWantedPage(address: string, of = ''): void {
  if (of === '' && wanted.get().of !== '' && OWN_PAGES.test(address)) return;
  if (!(of === '' ? PAGES : OWN_PAGES).test(address)) return;
  const url = new URL(address, 'https://page');
  url.searchParams.delete('q');
  const page = url.pathname + url.search;
  tabStorage.write(WANTED_KEY, JSON.stringify({ page, of }));
  wanted.set({ page, of });
}

/**
 * Where an invited person is led: to the capsule that has opened, or to what they have received.
 * @param query of the link in their email
 */
export function invitedPage(query: URLSearchParams): string {
  const capsule = query.get('capsule');
  return `${DASHBOARD}?${new URLSearchParams({ tab: 'received', ...(capsule && { capsule }) })}`;
}

/** Where a sign-in leads. */
export function wantedPage(): string {
  const { page, of } = wanted.get();
  return of === '' || of === auth.get().user?.id ? page : DASHBOARD;
}

/** Whether a visitor came by the link to a capsule. */
export function useWantsCapsule(): boolean {
  return /[?&]capsule=/.test(useExternalStore(wanted).page);
}

let ended: 'refused' | 'elsewhere' | null = null;
let isLeaving = false;

/** The session has ended while a person was at this address. */
export function noteSessionEnd(address: string): void {
  const { user } = auth.get();
  if (user) rememberWantedPage(address, user.id);
  // A draft is one person's, and another one may sign in next.
  if (!address.startsWith('/create')) rememberWantedPage(address);
  ended = isLeaving ? null : 'refused';
}

/**
 * How a session has ended since somebody last signed in: the server has refused it, or another tab has ended
 * it, which is news only to a page of theirs.
 * @param wasTheirs whether such a page was open
 */
export function sessionEnd(wasTheirs: boolean): typeof ended {
  return wasTheirs || ended === 'refused' ? ended : null;
}

/** The person signs out: the end of their session will be no news to them. */
export function startLeaving(): void {
  isLeaving = true;
}

export function forgetWantedPage(): void {
  ended = null;
  isLeaving = false;
  tabStorage.write(WANTED_KEY, null);
  wanted.set(NOTHING);
}

/** The account that was created since this page was loaded: the next thing is to sign in. */
export const newAccount = createExternalStore<{ email: string; mustVerify: boolean }>({
  email: '',
  mustVerify: false,
});
