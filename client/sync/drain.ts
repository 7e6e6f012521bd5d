import { type Identity, identify } from '../api/client.ts';
import { CallError, isAborted, isAnswerOf } from '../api/errors.ts';
import { loseAttachment, sweepFiles } from '../db/attachments.ts';
import { addCreated } from '../db/cache.ts';
import { AttachmentError } from '../db/chunks.ts';
import { isNoRoom, openedUserId } from '../db/database.ts';
import { askAnew } from '../db/due.ts';
import {
  backOffAll,
  claimForSending,
  FILE_DAMAGED,
  leaveToOther,
  nextDue,
  nextTryAt,
  readItem,
  refuseItem,
  removeItem,
  requeueInterrupted,
  retryUnreachable,
  updateItem,
} from '../db/outbox.ts';
import { type OutboxFailure, type OutboxRow, randomUuid } from '../db/tables.ts';
import {
  announceDelivered,
  maySend,
  OUTBOX_LOCK,
  SYNC_TAG,
  sendInTurn,
  type Turn,
} from './locks.ts';
import { asCallError, backoff, decideRetry, failureOf } from './retry-policy.ts';
import type { Queue } from './send-now.ts';
import { cancelOrphaned, giveWay, nextDraftSync, syncDrafts, syncWords } from './sync-drafts.ts';
import { uploadCapsule } from './upload-capsule.ts';

export interface DrainOptions extends Turn {
  /** Pages only: nobody looks at it any more. */
  isLeaving?: () => boolean;
  /** Pages only: bytes of an item's files that have left. */
  onSent?: (item: OutboxRow, bytes: number) => void;
  /** The session has ended on the server. */
  onSignedOut?: () => void;
}

/** A browser under pressure may fail to read a file that is there. After so many retries the person is asked. */
const READ_RETRIES = 3;
const DEVICE_FAILED = 'DEVICE_FAILED';

/**
 * Sends what is due, one capsule after another and then drafts, until nothing is due or nothing can be
 * sent. Pages and the worker run the same code under one lock.
 * @returns when to run again, in milliseconds; null when nothing waits for its time
 */
export async function drain(options: DrainOptions = {}): Promise<number | null> {
  const next = await sendInTurn(OUTBOX_LOCK, options, {
    send: (signal) => sendDue({ ...options, signal }),
    next: () => nextRun(options),
  });
  // What a full disk does not let go of is swept after the next run.
  if (openedUserId() !== null) await sweepFiles().catch(() => undefined);
  return next;
}

/** When something is due, in milliseconds; Infinity for nothing that waits for its time. */
async function nextRun(options: DrainOptions): Promise<number> {
  if (openedUserId() === null) return Infinity;
  return Math.min((await nextTryAt()) ?? Infinity, await nextDraftSync(options));
}

/** A person's capsules and drafts, for the scheduler of a page. */
export function outboxQueue(options: Pick<DrainOptions, 'onSent' | 'onSignedOut'> = {}): Queue {
  return {
    tag: SYNC_TAG,
    run: (running) => drain({ ...options, ...running }),
    isWaiting: async () => (await nextRun({})) !== Infinity,
    onOnline: async () => {
      await retryUnreachable(Date.now());
      await askAnew();
    },
    // Another device may have written while nobody looked at this one.
    onVisible: askAnew,
    giveWay,
  };
}

async function sendDue(options: DrainOptions): Promise<void> {
  if (openedUserId() === null) return;
  await requeueInterrupted();
  if (!(await maySend())) return;
  // Cancel first: that makes room on the server for what is sent.
  await cancelOrphaned(options);
  for (;;) {
    if (options.signal?.aborted) return;
    const item = await nextDue(Date.now());
    if (!item || !(await attempt(item, options))) break;
  }
  if (!options.signal?.aborted) await syncDrafts(options);
}

/** @returns false when there is no use in trying the next one now */
async function attempt(item: OutboxRow, options: DrainOptions): Promise<boolean> {
  let identity: Identity;
  try {
    identity = await identify(options.signal);
  } catch (error) {
    await recordFailure(item, asCallError(error), options);
    return false;
  }
  // The cookie may be another person's by now, and their session must not carry this capsule.
  if (identity.user.id !== openedUserId()) {
    await refuseItem(item, { state: 'needs-sign-in', failure: null });
    return true;
  }
  // The person may have taken the capsule back while we asked.
  if (!(await claimForSending(item.id))) return true;
  try {
    const { signal, onSent } = options;
    const { capsule, recipients, invitations } = await uploadCapsule(item, {
      identity,
      signal,
      onSent: onSent && ((bytes) => onSent(item, bytes)),
      onPart: () => syncWords(options),
    });
    // On a full device the delivered item is removed all the same; the list comes from the server.
    if (capsule) await addCreated(capsule).catch(() => undefined);
    await removeItem(item.id);
    const { title, dateToUnlock } = item.fields;
    announceDelivered({
      userId: identity.user.id,
      id: item.id,
      title,
      capsuleId: capsule?.id ?? null,
      dateToUnlock,
      // Another one where the server does not know the name.
      timeZone: capsule?.timeZone ?? item.timeZone,
      recipients,
      added: capsule?.added,
      invitations,
    });
    return true;
  } catch (error) {
    if (error instanceof AttachmentError) {
      await recordUnreadable(item, error);
      return true;
    }
    if (item.account && isKeyTaken(error)) {
      await leaveToOther(item.id, randomUuid(), Date.now());
      return true;
    }
    if (!(error instanceof CallError) && !options.signal?.aborted) {
      // A failure of this device, not of the network: the other items go on.
      await scheduleRetry(item, deviceFailure(error), { after: null });
      return true;
    }
    await recordFailure(item, asCallError(error), options);
    return !options.signal?.aborted && !isUnreachable(error);
  }
}

/** Reading is tried a few times; a file that is known to be damaged waits for the person. */
async function recordUnreadable(item: OutboxRow, error: AttachmentError): Promise<void> {
  const isDamaged = error.cause === undefined;
  const failedReads = item.failure?.code === DEVICE_FAILED ? item.attempts : 0;
  if (!isDamaged && failedReads < READ_RETRIES) {
    await updateItem(item.id, { attempts: failedReads });
    await scheduleRetry(item, deviceFailure(error), { after: null });
    return;
  }
  if (error.file && isDamaged) await loseAttachment(error.file.id);
  await updateItem(item.id, { state: 'needs-fix', failure: damaged(error) });
}

function damaged({ file, cause }: AttachmentError): OutboxFailure {
  const what = file ? `“${file.name}”` : 'A file of this capsule';
  const please =
    cause === undefined ? 'Please add it again.' : 'Please remove it and add it again.';
  const message = `${what} can't be read on this device any more. ${please}`;
  return { code: FILE_DAMAGED, message, errors: { files: message } };
}

function deviceFailure(error: unknown): OutboxFailure {
  return isNoRoom(error)
    ? { code: 'DEVICE_FULL', message: 'Your device is out of space. Please free some.', errors: {} }
    : { code: DEVICE_FAILED, message: "We couldn't prepare it on this device.", errors: {} };
}

/** Notes what a failure means, for the screen and for the next run. */
async function recordFailure(
  item: OutboxRow,
  error: CallError,
  { signal, onSignedOut }: DrainOptions,
): Promise<void> {
  if (signal?.aborted || isAborted(error)) {
    await updateItem(item.id, { state: 'queued', nextTryAt: Date.now() });
    return;
  }
  const decision = decideRetry(error);
  const failure = failureOf(error);
  if (decision.kind !== 'retry') {
    const { kind: state } = decision;
    if (state === 'needs-fix') return updateItem(item.id, { state, failure });
    const waits = await refuseItem(item, { state, failure });
    if (waits && state === 'needs-sign-in') onSignedOut?.();
    return;
  }
  const at = await scheduleRetry(item, failure, decision);
  if (isUnreachable(error)) await backOffAll(at);
}

/** @returns when it is tried again, in milliseconds */
async function scheduleRetry(
  item: OutboxRow,
  failure: OutboxFailure,
  limits: { after: number | null; longest?: number },
): Promise<number> {
  // Read again: bytes that arrived have set the attempts back to 0.
  const attempts = ((await readItem(item.id)) ?? item).attempts + 1;
  const nextTryAt = Date.now() + backoff(attempts, limits, Math.random());
  await updateItem(item.id, { state: 'retry-at', attempts, nextTryAt, failure });
  return nextTryAt;
}

/** Devices seal the same draft under the same key. */
function isKeyTaken(error: unknown): boolean {
  return isAnswerOf(error, 'IDEMPOTENCY_KEY_REUSED') || isAnswerOf(error, 'CAPSULE_DELETED');
}

/** No answer at all: the other items would not get through either. */
function isUnreachable(error: unknown): boolean {
  return error instanceof CallError && error.status === 0;
}
