import { deviceStorage } from '../db/web-storage.ts';
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
  /** A capsule was sealed since the app started. */
  hasSealed?: boolean;
}

export const install = createExternalStore<InstallState>({});

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

const KEY = 'install-offer';
const HALF_A_YEAR_MS = 182 * 86_400_000;
/** Looking again within this time is the same visit. */
const VISIT_MS = 30 * 60_000;

/** When to offer the home screen: at the second visit, and not again for half a year. */
interface InstallMemory {
  visits: number;
  /** Milliseconds since 1970, as all times here. */
  lastVisitAt: number;
  dismissedAt: number;
}

/** Counts a look at a dashboard that has a capsule. @returns how many visits that makes */
export function countVisit(now: number): number {
  const memory = read();
  const isNew = now - memory.lastVisitAt > VISIT_MS;
  const visits = memory.visits + (isNew ? 1 : 0);
  write({ ...memory, visits, lastVisitAt: now });
  return visits;
}

export function rememberDismissal(now: number): void {
  write({ ...read(), dismissedAt: now });
}

export function wasDismissed(now: number): boolean {
  return now - read().dismissedAt < HALF_A_YEAR_MS;
}

/** At sign-out: the next person's visits count from zero, but a declined offer stays declined. */
export function forgetVisits(): void {
  const { dismissedAt } = read();
  if (dismissedAt > 0) write({ ...NOTHING, dismissedAt });
  else deviceStorage.write(KEY, null);
}

const NOTHING: InstallMemory = { visits: 0, lastVisitAt: 0, dismissedAt: 0 };

/** Where nothing can be stored, every visit is the first. */
function read(): InstallMemory {
  const stored = deviceStorage.readJson(KEY);
  return {
    visits: numberIn(stored, 'visits'),
    lastVisitAt: numberIn(stored, 'lastVisitAt'),
    dismissedAt: numberIn(stored, 'dismissedAt'),
  };
}

function numberIn(kept: unknown, name: keyof InstallMemory): number {
  if (typeof kept !== 'object' || kept === null) return 0;
  const value: unknown = Reflect.get(kept, name);
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function write(memory: InstallMemory): void {
  deviceStorage.write(KEY, JSON.stringify(memory));
}
