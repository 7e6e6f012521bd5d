import { useEffect } from 'react';
import { PROFILE_KEY, putResponse } from '../db/cache.ts';
import { closeDatabase, openDatabase, troubleOf } from '../db/database.ts';
import { noteSignedIn, readSession } from '../db/device.ts';
import { restoreDrafts } from '../db/draft-snapshots.ts';
import { snapshotIds } from '../db/snapshots.ts';
import { deviceState } from './device-state.ts';
import { delay, pageStorage } from './page-storage.ts';
import { readyToReload } from './reload.ts';
import { createExternalStore, useExternalStore } from './store.ts';
import { auth, authState, readFlag, useAuth } from './use-session.ts';

interface Opened {
  /** Whose database is open on this page. */
  userId: string | null;
  /**
   * The device does not know who is signed in: only the server can say it. Until the database is open,
   * or a form that shows the server's answer would be cleared away in between.
   */
  isUnknown: boolean;
}

const opened = createExternalStore<Opened>({ userId: null, isUnknown: false });

/**
 * The signed-in person's id, as soon as their database is open; null until then. Screens read
 * and write nothing of the device before.
 */
export function useUserId(): string | null {
  const { isLoggedIn, user } = useAuth();
  const { userId } = useExternalStore(opened);
  useEffect(() => {
    if (isLoggedIn) enterInTurn(user?.id);
  }, [isLoggedIn, user]);
  const isTheirs = isLoggedIn && (user === null || user.id === userId);
  return isTheirs ? userId : null;
}

/** Whether only the server can say who is signed in. */
export function useIsUnknown(): boolean {
  return useExternalStore(opened).isUnknown;
}

/** Set once: a page belongs to one person from its start to its end. */
let personOfPage: string | null = null;

/** A database that could not be opened is tried again after this long. */
const AGAIN_MS = 5_000;
let again: ReturnType<typeof setTimeout> | undefined;

/** Who waits for their turn. */
const waiting = new Set<string | undefined>();
let entering = Promise.resolve();

/** Every part of a page asks for this. Side by side, they would restore the same drafts more than once. */
function enterInTurn(known: string | undefined): void {
  if (waiting.has(known)) return;
  waiting.add(known);
  entering = entering.then(() => {
    waiting.delete(known);
    return enter(known);
  });
}

// A page that slept may have missed that somebody else has signed in. The build renders without a document.
globalThis.document?.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && authState().isLoggedIn) enterInTurn(undefined);
});

/** @param known the person's id, once the server has said it; until then the device may know it */
async function enter(known: string | undefined): Promise<void> {
  try {
    const userId = known ?? (await readSession().catch(() => null))?.userId ?? null;
    if (userId === null) opened.set({ isUnknown: true });
    if (userId === null || !authState().isLoggedIn || opened.get().userId === userId) return;
    if (personOfPage !== null && personOfPage !== userId) {
      // Nothing that this page still has in hand may reach another person's database.
      await noteSignedIn(userId);
      location.reload();
      return;
    }
    personOfPage = userId;
    await open(userId);
    if (known !== undefined) await noteSignedIn(userId);
    await cacheProfile(userId);
    await restoreLeftDrafts(userId);
    if (authState().isLoggedIn) opened.set({ userId, isUnknown: false });
  } catch {
    clearTimeout(again);
    again = setTimeout(() => {
      if (authState().isLoggedIn) enterInTurn(authState().user?.id);
    }, AGAIN_MS);
  }
}

/** Until it can be opened, {@link deviceState} says why it cannot. */
async function open(userId: string): Promise<void> {
  try {
    // A sign-out in another tab clears the flag before it deletes the database.
    await openDatabase(userId, pageStorage(readFlag));
    deviceState.set({ trouble: null });
  } catch (error) {
    deviceState.set({ trouble: troubleOf(error) });
    throw error;
  }
}

/** Caches the profile that came with the sign-in: offline, people can then address capsules to themselves. */
async function cacheProfile(userId: string): Promise<void> {
  const { user } = authState();
  if (user?.id !== userId) return;
  // A device without room asks the server for it again.
  await putResponse(PROFILE_KEY, user, Date.now()).catch(() => undefined);
}

// When the session ends, the database is closed. Its rows wait for their person, and nobody sees them.
auth.subscribe(() => {
  if (!authState().isLoggedIn && opened.get().userId !== null) void leave();
});

/** Saves what is typed and picked before it closes the database. */
async function leave(): Promise<void> {
  opened.set({ userId: null });
  await readyToReload();
  if (!authState().isLoggedIn) closeDatabase();
}

/** A restore that hangs must not keep the person out. */
const RESTORE_MAX_MS = 1_000;

async function restoreLeftDrafts(userId: string): Promise<void> {
  if (snapshotIds().length === 0) return;
  // What could not be restored stays for the next page.
  await Promise.race([restoreDrafts(userId).catch(reportError), delay(RESTORE_MAX_MS)]);
}
