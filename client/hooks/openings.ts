import { useLiveQuery } from 'dexie-react-hooks';
import { listOpened, markSeen, type ReadyCapsule } from '../../shared/api/opened.ts';
import { call, identify } from '../api/client.ts';
import { isAnswerOf } from '../api/errors.ts';
import { openedUserId } from '../db/database.ts';
import {
  countWaiting,
  noteLook,
  noteOpened,
  noteTold,
  readOpenings,
  waitingIn,
} from '../db/openings.ts';
import { STALE_AFTER_MS } from './use-query.ts';
import { useUserId } from './use-user-id.ts';

/**
 * Keeps up to date what waits to be opened. Asks the server now, back online, when the app is turned to
 * beside another window, and when it is shown or hidden: then the number on its icon is seen.
 * @param leaving aborted when the person signs out
 */
export function keepOpenings(leaving: AbortSignal): void {
  let askedAt = 0;
  const askAgain = () => {
    if (!navigator.onLine || Date.now() - askedAt < STALE_AFTER_MS) return;
    askedAt = Date.now();
    ask(leaving).catch(() => {
      askedAt = 0;
    });
  };
  askAgain();
  window.addEventListener('online', askAgain, { signal: leaving });
  window.addEventListener('focus', askAgain, { signal: leaving });
  document.addEventListener('visibilitychange', askAgain, { signal: leaving });
}

/** Asks the server now; without a connection later. Never throws. */
export function refreshOpenings(seen?: string[]): Promise<void> {
  return ask(new AbortController().signal, seen).catch(() => undefined);
}

/**
 * Tells the server what was looked at on this device, and asks it what waits to be opened.
 * @param seen looked at, but not noted, because the device is full
 * @throws {CallError} when the server could not be asked
 */
async function ask(signal: AbortSignal, seen: string[] = []): Promise<void> {
  // The session cookie may belong to another person by now.
  const { user, xsrf } = await identify(signal);
  if (user.id !== openedUserId()) return;
  for (const id of [...seen, ...(await readOpenings()).untold]) {
    await call(markSeen, { params: { id }, xsrf, signal }).catch((error: unknown) => {
      if (!isAnswerOf(error, 'CAPSULE_NOT_FOUND')) throw error;
    });
    // A full device tells it once more.
    await noteTold(id).catch(() => undefined);
  }
  const askedAt = Date.now();
  const openings = await noteOpened(await call(listOpened, { xsrf, signal }), askedAt);
  // With 0, the icon has no number. Not every browser can, or lets one.
  if (!signal.aborted) navigator.setAppBadge?.(countWaiting(openings)).catch(() => undefined);
}

/** Remembers that the person looks at an opened capsule, and tells the server, now or later. */
export async function lookAtOpened(capsuleId: string): Promise<void> {
  const isNoted = await noteLook(capsuleId).catch(() => false);
  await refreshOpenings(isNoted ? [] : [capsuleId]);
}

export interface Openings {
  /** The capsules that wait to be opened, last opened first. */
  waiting: ReadyCapsule[];
  /** How many there are, also beyond those named. */
  count: number;
  /** When the server was asked, in milliseconds by this device's clock; 0 if never. */
  askedAt: number;
  /** Whether a capsule waits to be opened. The server's word may be older than a look. */
  isReady: (capsule: { id: string; ready?: boolean | undefined }) => boolean;
}

/** Null until the device has been read. */
export function useOpenings(): Openings | null {
  const userId = useUserId();
  const openings = useLiveQuery(async () => (userId === null ? null : readOpenings()), [userId]);
  if (!openings) return null;
  return {
    waiting: waitingIn(openings),
    count: countWaiting(openings),
    askedAt: openings.askedAt ?? 0,
    isReady: ({ id, ready = false }) => ready && !openings.lookedAt.includes(id),
  };
}
