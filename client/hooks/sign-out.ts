import { deleteAccount } from '../../shared/api/delete-account.ts';
import type { BodyInputOf } from '../../shared/api/endpoint.ts';
import { logout } from '../../shared/api/logout.ts';
import { XSRF_COOKIE } from '../../shared/limits.ts';
import { call, identify, readCookie } from '../api/client.ts';
import { CallError, isAborted, isConnectionError, networkError } from '../api/errors.ts';
import { whileLeaving } from '../api/session.ts';
import { ANSWER_MAX_MS, answered } from '../db/answered.ts';
import { db, eraseDatabase, openedUserId } from '../db/database.ts';
import {
  databaseName,
  deleteDatabase,
  noteSignedIn,
  noteSignOut,
  noteSignOutFinished,
  readSession,
} from '../db/device.ts';
import { readDiscarded, readForAccount } from '../db/draft-sync.ts';
import { isSafe } from '../db/receive-draft.ts';
import { readRecorded } from '../db/recordings.ts';
import { readTypedProfile, removeSnapshotsOf } from '../db/snapshots.ts';
import { SIGN_OUT_MAX_MS } from '../sync/finish-sign-out.ts';
import { cancelAllUploads } from '../sync/orphaned-uploads.ts';
import { requestSync, saveNow, sendNow, whilePaused } from '../sync/scheduler.ts';
import { cancelCopies, sweepCopies } from './attach-files.ts';
import { deviceState } from './device-state.ts';
import { delay } from './page-storage.ts';
import { forgetPush } from './push.ts';
import { forgetWantedPage, sessionEnded, startLeaving, writeFlag } from './use-session.ts';

/** What signing out would delete, or bring back. */
export interface Unsent {
  /** Drafts of which something is only on this device. */
  drafts: number;
  /** Queued, on their way or waiting for the person. */
  queued: number;
  /** Something is typed into the profile and not saved. */
  profile: boolean;
  /** Discarded drafts of which the account isn't told: it brings them back. */
  discarded: number;
}

/** What can't be read may be more than anything. */
export const countOf = (work: Unsent | null) =>
  work ? work.drafts + work.queued + work.discarded + Number(work.profile) : Infinity;

/**
 * @param saves to the account first, what can be; nothing leaves once the person has said yes
 * @returns null when this page cannot read the person's database, or the database doesn't answer
 */
export async function unsentWork(saves = true): Promise<Unsent | null> {
  if (deviceState.get().trouble !== null) return null;
  try {
    // A page that has just started is still opening it.
    for (let tries = 0; openedUserId() === null && tries < OPENING_TRIES; tries += 1)
      await delay(OPENING_MS);
    const userId = openedUserId();
    if (userId === null) return null;
    if (saves && navigator.onLine)
      await Promise.race([saveNow(), delay(SAVING_MAX_MS)]).catch(() => undefined);
    const [forAccount, drafts, queued, recorded, gone] = await answered(
      Promise.all([
        readForAccount(),
        db.drafts.count(),
        db.outbox.count(),
        readRecorded(),
        readDiscarded(),
      ]),
    );
    // Of the others, the account has nothing to bring back.
    const discarded = gone.filter((one) => (one.discarded?.revision ?? 0) > 0).length;
    const safe = forAccount.filter((one) => isSafe(one) && !recorded.has(one.draft.id));
    // What the device could not save is asked about as when the page is closed.
    const isHeld = !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const profile = readTypedProfile(userId) !== null;
    return { drafts: Math.max(drafts - safe.length, isHeld ? 1 : 0), queued, discarded, profile };
  } catch {
    return null;
  }
}

/** What was typed last is saved to the account before the person is asked, if that is as quick as this. */
const SAVING_MAX_MS = 3_000;

/** Together as long as any answer of the device may take. */
const OPENING_MS = 50;
const OPENING_TRIES = ANSWER_MAX_MS / OPENING_MS;

/**
 * Ends the session on the server, then forgets the person on this device.
 * @throws {CallError} when the server could not be told; the person is then still signed in
 */
export async function signOut(): Promise<void> {
  try {
    // Nothing that is deleted below may still leave this device or enter its database.
    await whilePaused(async () => {
      // Without a connection in time the uploads expire by themselves.
      await cancelAllUploads().catch(() => undefined);
      await whileLeaving(async () => {
        await call(logout, { signal: AbortSignal.timeout(SIGN_OUT_MAX_MS) });
        await forgetPerson();
      });
    });
  } catch (error) {
    sendNow();
    throw isAborted(error) ? networkError() : error;
  }
}

/**
 * Forgets the person on this device while the server cannot be told. Their cookie stays, because no
 * script can remove it. The only call made with it is the one that ends the session, as soon as there
 * is a connection.
 * @throws when the device could not be cleared; nothing has gone then but what is half-typed in the profile
 */
export async function signOutOffline(): Promise<void> {
  // Without storage the pending sign-out would be forgotten with the page, and the session would stay.
  if (deviceState.get().trouble !== null) throw new Error('This device stores nothing.');
  const userId = openedUserId();
  try {
    await whilePaused(() => forgetPerson(readCookie(XSRF_COOKIE) ?? ''));
  } catch (error) {
    // Otherwise the next start would go on with it, and delete what is written from here on.
    await noteSignOutFinished().catch(() => undefined);
    if (userId !== null) await noteSignedIn(userId);
    writeFlag(true);
    void sweepCopies().catch(() => undefined);
    sendNow();
    throw error;
  }
  await requestSync();
}

/**
 * Ends the account for good, then forgets the person on this device.
 * @throws {CallError} with `errors` by field when it was refused; nothing has changed then
 */
export async function endAccount(body: BodyInputOf<typeof deleteAccount>): Promise<void> {
  try {
    // Nothing that is deleted below may still leave this device or enter its database.
    await whilePaused(async () => {
      // After a lost answer a 401 means a deleted account, so the session must be alive before.
      await identify();
      await call(deleteAccount, { body }).catch(throwUnlessDeleted);
      await forgetPerson();
    });
  } catch (error) {
    sendNow();
    throw error;
  }
}

/** Pauses in milliseconds: the server may still be deleting when the connection is lost. */
const ASKED_AT_MS = [0, 1_000, 3_000];

/** After a lost answer: if the server knows nobody any more, it has deleted the account. */
async function throwUnlessDeleted(error: unknown): Promise<void> {
  if (!isConnectionError(error)) throw error;
  for (const ms of ASKED_AT_MS) {
    await delay(ms);
    try {
      await identify();
    } catch (answer) {
      if (answer instanceof CallError && answer.status === 401) return;
    }
  }
  throw error;
}

/**
 * Removes everything of the person from this device. The sign-out is noted first: should this page
 * be closed on the way, the next start finishes it.
 * @param xsrf the token of a session that the server has yet to end; null when it has ended it
 * @throws only with a token: a database that cannot be cleared keeps nobody else signed in
 */
async function forgetPerson(xsrf: string | null = null): Promise<void> {
  const opened = openedUserId();
  const userId = opened ?? (await readSession().catch(() => null))?.userId ?? '';
  if (xsrf === null) startLeaving();
  cancelCopies(() => true);
  try {
    await noteSignOut({ userId, xsrf });
    // Other tabs stop writing now; what they have written by then is deleted with the rest.
    writeFlag(false);
    // The next start deletes the database alone, should this page be closed on the way.
    removeSnapshotsOf(userId);
    const isDeleted = await (opened === null
      ? deleteDatabase(databaseName(userId))
      : eraseDatabase());
    if (isDeleted)
      await (xsrf === null ? noteSignOutFinished() : noteSignOut({ userId: '', xsrf }));
  } catch (error) {
    if (xsrf !== null) throw error;
    reportError(error);
  }
  // The server ends it with the session; where it cannot be told, this browser is silent at once.
  void forgetPush().catch(() => undefined);
  forgetWantedPage();
  sessionEnded();
}
