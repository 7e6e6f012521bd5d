import { CallError, isAborted } from '../http/call-error.ts';
import { type Identity, identify } from '../http/identify.ts';
import { addCreated } from '../local/capsules.ts';
import type { OutboxFailure, OutboxRow } from '../local/db.ts';
import { KeepFileError } from '../local/keep-file-error.ts';
import { markLost } from '../local/kept-files.ts';
import { isNoRoom } from '../local/no-room.ts';
import {
  claimForSending,
  FILE_DAMAGED,
  nextDue,
  nextTryAt,
  postponeAll,
  refuseItem,
  releaseCutOff,
  removeItem,
  updateItem,
} from '../local/outbox.ts';
import { readOwner } from '../local/owner.ts';
import { readItem } from '../local/waiting.ts';
import { withLock } from '../local/with-lock.ts';
import { deliver } from './deliver.ts';
import { announceDelivered } from './delivery-news.ts';
import { giveUpAbandoned } from './give-up.ts';
import { asCallError, backoff, failureOf, outcomeOf } from './outcome.ts';
import { whileNobodyPauses } from './pause.ts';
import { isPauseWanted, OUTBOX_LOCK } from './sync-tag.ts';

export interface DrainOptions {
  /** Ends the run; what is under way goes on from there the next time. */
  signal?: AbortSignal;
  /** Wait for another page or worker that is sending; otherwise leave it to them. */
  waitForTurn?: boolean;
  /** Pages only: bytes of an item's files that have left. */
  onSent?: (item: OutboxRow, bytes: number) => void;
  /** The server knows nobody by this session any more. */
  onSignedOut?: () => void;
}

/** A browser under pressure may refuse to read what is there: after so many tries the person is asked. */
const READ_TRIES = 3;
const DEVICE_FAILED = 'DEVICE_FAILED';

/** Offline the page is told when that changes; what a device takes for offline need not be so. */
const OFFLINE_AGAIN_MS = 60_000;

/**
 * Sends what is due, one capsule after another, until nothing is due or nothing can be sent.
 * The same for a page and for the worker.
 * @returns when to run again, in milliseconds; null when nothing waits for its time
 */
export async function drain(options: DrainOptions = {}): Promise<number | null> {
  let toGiveUpAt: number | null = null;
  await underLock(options, async (signal) => {
    toGiveUpAt = await sendDue({ ...options, signal });
  });
  const owner = await readOwner();
  if (owner === null) return null;
  const times = [await nextTryAt(owner), toGiveUpAt].filter((at) => at !== null);
  if (times.length === 0) return null;
  const next = Math.min(...times);
  return navigator.onLine ? next : Math.max(next, Date.now() + OFFLINE_AGAIN_MS);
}

async function underLock(
  { signal, waitForTurn = false }: DrainOptions,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  // Signals and ifAvailable cannot be had together.
  const how = waitForTurn ? (signal ? { signal } : {}) : { ifAvailable: true };
  await withLock(OUTBOX_LOCK, how, async (isHeld) => {
    if (isHeld) await whileNobodyPauses(signal, work);
  });
}

/** @returns when to tell the server again of uploads that nobody wants; null when it is told, or cannot be */
async function sendDue(options: DrainOptions): Promise<number | null> {
  const owner = await readOwner();
  if (owner === null) return null;
  await releaseCutOff(owner);
  if (!navigator.onLine || (await isPauseWanted())) return null;
  // First, for what is given up makes room for what is sent.
  const toGiveUpAt = await giveUpAbandoned(owner, options.signal);
  for (;;) {
    if (options.signal?.aborted || (await isPauseWanted())) return null;
    const item = await nextDue(owner, Date.now());
    if (!item || !(await attempt(item, options))) break;
  }
  return toGiveUpAt ?? giveUpAbandoned(owner, options.signal);
}

/** @returns false when there is no use in trying the next one now */
async function attempt(item: OutboxRow, options: DrainOptions): Promise<boolean> {
  let identity: Identity;
  try {
    identity = await identify(options.signal);
  } catch (error) {
    await settle(item, asCallError(error), options);
    return false;
  }
  // The cookie may be another person's by now. Their session must not carry this capsule.
  if (identity.user.id !== item.owner) {
    await refuseItem(item, { state: 'needs-sign-in', failure: null });
    return true;
  }
  // The person may have taken it back while we asked.
  if (!(await claimForSending(item))) return true;
  try {
    const { signal, onSent } = options;
    const { capsule, mayLeaveUploads } = await deliver(item, {
      identity,
      signal,
      onSent: onSent && ((bytes) => onSent(item, bytes)),
    });
    // A full device still lets go of what has arrived; the list is read from the server anyway.
    if (capsule) await addCreated(item.owner, capsule, Date.now()).catch(() => undefined);
    await removeItem(item, { givesUp: mayLeaveUploads });
    announceDelivered({ owner: item.owner, id: item.id, title: item.fields.title });
    return true;
  } catch (error) {
    if (error instanceof KeepFileError) {
      const unread = item.failure?.code === DEVICE_FAILED ? item.attempts : 0;
      if (error.cause !== undefined && unread < READ_TRIES) {
        await updateItem(item, { attempts: unread });
        await putOff(item, ownFailure(error), { after: null });
      } else {
        // What is known to be damaged makes way for the file once it is added again.
        if (error.file && error.cause === undefined) await markLost(error.file);
        await updateItem(item, { state: 'needs-fix', failure: damaged(error) });
      }
      return true;
    }
    if (!(error instanceof CallError) && !options.signal?.aborted) {
      // Of our own making, not the network's: it steps behind, and the others go on.
      await putOff(item, ownFailure(error), { after: null });
      return true;
    }
    await settle(item, asCallError(error), options);
    return !options.signal?.aborted && !isUnreachable(error);
  }
}

function damaged({ file, cause }: KeepFileError): OutboxFailure {
  const what = file ? `“${file.name}”` : 'A file of this capsule';
  const please =
    cause === undefined ? 'Please add it again.' : 'Please remove it and add it again.';
  const message = `${what} can no longer be read on this device. ${please}`;
  return { code: FILE_DAMAGED, message, errors: { files: message } };
}

/** Seen, kept, and tried again. */
function ownFailure(error: unknown): OutboxFailure {
  return isNoRoom(error)
    ? { code: 'DEVICE_FULL', message: 'This device is full. Please free some space.', errors: {} }
    : { code: DEVICE_FAILED, message: 'It could not be prepared on this device.', errors: {} };
}

/** Notes what a failure means, for the screen and for the next run. */
async function settle(
  item: OutboxRow,
  error: CallError,
  { signal, onSignedOut }: DrainOptions,
): Promise<void> {
  if (signal?.aborted || isAborted(error)) {
    await updateItem(item, { state: 'queued', nextTryAt: Date.now() });
    return;
  }
  const outcome = outcomeOf(error);
  const failure = failureOf(error);
  if (outcome.kind !== 'retry') {
    const { kind: state } = outcome;
    if (state === 'needs-fix') return updateItem(item, { state, failure });
    const waits = await refuseItem(item, { state, failure });
    if (waits && state === 'needs-sign-in') onSignedOut?.();
    return;
  }
  const at = await putOff(item, failure, outcome);
  if (isUnreachable(error)) await postponeAll(item.owner, at);
}

/** @returns when it is tried again, in milliseconds */
async function putOff(
  item: OutboxRow,
  failure: OutboxFailure,
  pause: { after: number | null; longest?: number },
): Promise<number> {
  // Some of it may have arrived, which makes it the first failure again.
  const attempts = ((await readItem(item.owner, item.id)) ?? item).attempts + 1;
  const nextTryAt = Date.now() + backoff(attempts, pause, Math.random());
  await updateItem(item, { state: 'retry-at', attempts, nextTryAt, failure });
  return nextTryAt;
}

/** No answer at all: the others would not get through either. */
function isUnreachable(error: unknown): boolean {
  return error instanceof CallError && error.status === 0;
}
