import { createStore, del, get, type UseStore, update } from 'idb-keyval';
import { answered } from './answered.ts';

/** What page and service worker must know before anybody's database is open. */
export interface DeviceSession {
  /** The person who is signed in; null when nobody is, or when the session has ended by itself. */
  userId: string | null;
  /** A sign-out that is not finished; the next start or connection goes on with it. */
  signOut: PendingSignOut | null;
}

export interface PendingSignOut {
  /** Whose database may still have to be deleted; empty once it is gone. */
  userId: string;
  /** The XSRF token of the session that the server has yet to end; null when it has ended. */
  xsrf: string | null;
}

const NOBODY: DeviceSession = { userId: null, signOut: null };
const KEY = 'session';

let store: UseStore | undefined;

function deviceStore(): UseStore {
  store ??= createStore('time-capsule-device', 'device');
  const use = store;
  return (mode, work) => answered(use(mode, work));
}

/** @throws where the browser refuses its storage, or does not answer */
export async function readSession(): Promise<DeviceSession> {
  const session = await get<DeviceSession>(KEY, deviceStore());
  return session ?? NOBODY;
}

async function change(make: (before: DeviceSession) => DeviceSession): Promise<void> {
  const before = await readSession();
  await update<DeviceSession>(KEY, (stored) => make(stored ?? before), deviceStore());
}

export async function noteSignedIn(userId: string): Promise<void> {
  try {
    await change(({ signOut }) => {
      // This person's database is wanted again.
      const isDone = signOut?.userId === userId && signOut.xsrf === null;
      return { userId, signOut: isDone ? null : signOut };
    });
  } catch {
    // A full device: removing takes no room, and at the next start the server says who this is.
    await forgetSession().catch(() => undefined);
  }
}

async function forgetSession(): Promise<void> {
  await del(KEY, deviceStore());
}

/** The session has ended by itself: the person's database waits for them. */
export async function noteSessionEnded(): Promise<void> {
  await change((before) => ({ ...before, userId: null }));
}

export async function noteSignOut(signOut: PendingSignOut): Promise<void> {
  await change(() => ({ userId: null, signOut }));
}

export async function noteSignOutFinished(): Promise<void> {
  await change((before) => ({ ...before, signOut: null }));
}

export function databaseName(userId: string): string {
  return `time-capsule-${userId}`;
}

/** A sleeping tab can hold up a deletion for ever. */
const DELETE_MAX_MS = 1_000;

/** Deletes a database to which this page has no connection. @returns whether it is gone in time */
export function deleteDatabase(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve(true);
    request.onerror = () => resolve(false);
    setTimeout(resolve, DELETE_MAX_MS, false);
  });
}
