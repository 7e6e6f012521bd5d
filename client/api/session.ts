import { LOGOUT_PATH } from '../../shared/api/endpoint.ts';

/*
 * When calls may be made with the session's cookie, and who hears that the session has ended. It
 * imports almost nothing, because every page loads it.
 */

/** What every call waits for before it carries the session's cookie. */
let gate: () => Promise<void> = async () => undefined;

/** Sets the gate, once for each page. While `wait` throws, no call is made. */
export function beforeCalls(wait: () => Promise<void>): void {
  gate = wait;
}

/** Whether the person has signed out in the end; null while nobody is signing out. */
let leaving: Promise<boolean> | null = null;

/**
 * Holds all other calls back while a person signs out: the session they would go out with is
 * about to end. They go on when the person stays after all.
 * @param signOut must call LOGOUT_PATH only: any other call would wait for the sign-out itself
 */
export async function whileLeaving(signOut: () => Promise<void>): Promise<void> {
  const left = signOut();
  leaving = left.then(
    () => true,
    () => false,
  );
  try {
    await left;
  } finally {
    leaving = null;
  }
}

/** `fetch`, as soon as the session's cookie may be used. */
export async function askServer(address: string, init: RequestInit): Promise<Response> {
  await (address === LOGOUT_PATH ? gate() : untilMayAsk());
  return fetch(address, init);
}

/** For requests that `fetch` cannot send. @throws when the session's cookie may not be used */
export async function untilMayAsk(): Promise<void> {
  await gate();
  if (await leaving) throw new Error('The person has signed out.');
}

/**
 * Whether a sign-in page answers in place of the server, as of a company's proxy whose session has ended.
 * The worker serves the app meanwhile, so no page would ever reach it.
 */
let isBetween = false;
const watchers = new Set<(isBetween: boolean) => void>();

export function noteBetween(isNow: boolean): void {
  if (isNow === isBetween) return;
  isBetween = isNow;
  for (const watcher of watchers) watcher(isNow);
}

export function onBetween(watcher: (isBetween: boolean) => void): void {
  watchers.add(watcher);
}

type Listener = () => void;

const listeners = new Set<Listener>();

/** Calls `listener` whenever the server says that nobody is signed in; returns how to stop. */
export function onUnauthorized(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called for every 401 but that of a refused sign-in. */
export function announceUnauthorized(): void {
  for (const listener of listeners) listener();
}
