import { useLiveQuery } from 'dexie-react-hooks';
import type { ReadyCapsule } from '../../shared/api/opened.ts';
import { countWaiting, noteLook, notePlace, readOpenings, waitingIn } from '../db/openings.ts';
import { refreshBadge, setBadge } from '../sync/badge.ts';
import { STALE_AFTER_MS } from './use-resource.ts';
import { useUserId } from './use-user-id.ts';

/**
 * Keeps up to date what waits to be opened, and its number on the app's icon. Asks the server now,
 * back online, and when the app is shown or hidden: then the icon is seen.
 * @param leaving aborted when the person signs out
 */
export function keepOpenings(leaving: AbortSignal): void {
  let askedAt = 0;
  const ask = () => {
    if (!navigator.onLine || Date.now() - askedAt < STALE_AFTER_MS) return;
    askedAt = Date.now();
    refreshBadge(leaving).catch(() => {
      // The badge stays as it is until the next event.
      askedAt = 0;
    });
  };
  ask();
  window.addEventListener('online', ask, { signal: leaving });
  document.addEventListener('visibilitychange', ask, { signal: leaving });
}

/** Asks the server now; without a connection later. Never throws. */
export function refreshOpenings(): Promise<void> {
  return refreshBadge(new AbortController().signal).catch(() => undefined);
}

/** Remembers that the person looks at an opened capsule, and tells the server, now or later. */
export async function lookAtOpened(capsuleId: string): Promise<void> {
  // Where nothing can be stored, the capsule is announced once more.
  const openings = await noteLook(capsuleId).catch(() => null);
  if (openings) setBadge(countWaiting(openings));
  await refreshOpenings();
}

/** Remembers where somebody is who reads a capsule by many: the id of a part, see `pages/capsule/parts`. */
export function noteReached(partId: string): void {
  // Where nothing can be stored, reading begins anew.
  notePlace(partId).catch(() => undefined);
}

export interface Openings {
  /** The capsules that wait to be opened, last opened first. */
  waiting: ReadyCapsule[];
  /** How many there are, also beyond those named. */
  count: number;
  /** When the server was asked, in milliseconds by this device's clock; 0 if never. */
  askedAt: number;
  /** Ids of the parts that the person has come to, newest last. */
  reached: readonly string[];
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
    reached: openings.reached ?? [],
    isReady: ({ id, ready = false }) => ready && !openings.lookedAt.includes(id),
  };
}
