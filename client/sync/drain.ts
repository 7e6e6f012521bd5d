import { type Identity, identify } from '../api/client.ts';
import { CallError, isAborted, isAnswerOf } from '../api/errors.ts';
import { loseAttachment } from '../db/attachments.ts';
import { addCreated } from '../db/cache.ts';
import { AttachmentError } from '../db/chunks.ts';
import { isNoRoom, openedUserId } from '../db/database.ts';
import { noteSealedHere } from '../db/draft-sync.ts';
import {
  backOffAll,
  claimForSending,
  FILE_DAMAGED,
  leaveToOther,
  nextDue,
  nextTryAt,
  readItem,
  removeItem,
  requeueInterrupted,
  retryUnreachable,
  updateItem,
} from '../db/outbox.ts';
import type { OutboxFailure, OutboxRow } from '../db/tables.ts';
import { announceDelivered, OUTBOX } from './locks.ts';
import { maySend, type Queue, type Turn } from './queue.ts';
import { asCallError, backoff, decideRetry, failureOf } from './retry-policy.ts';
import { cancelOrphaned, nextDraftSync, syncDrafts, syncWords } from './sync-drafts.ts';
import { uploadCapsule } from './upload-capsule.ts';

interface Listener {
  /** Pages only: bytes of an item's files that have left. */
  onSent?: (item: OutboxRow, bytes: number) => void;
  /** The session has ended on the server. */
  onSignedOut?: () => void;
}

type Sending = Turn & Listener;

/** A person's capsules, one after another, and then their drafts. */
export function outboxQueue(listener: Listener = {}): Queue {
  return {
    name: OUTBOX,
    send: (turn) => sendDue({ ...turn, ...listener }),
    next: async (isLeaving) =>
      openedUserId() === null
        ? Infinity
        : Math.min(await nextTryAt(), await nextDraftSync(isLeaving)),
    onOnline: () => retryUnreachable(Date.now()),
  };
}

async function sendDue(sending: Sending): Promise<void> {
  if (openedUserId() === null) return;
  await requeueInterrupted();
  if (!(await maySend())) return;
  // Cancel first: that makes room on the server for what is sent.
  await cancelOrphaned(sending);
  for (;;) {
    if (sending.signal.aborted) return;
    const item = await nextDue(Date.now());
    if (!item || !(await attempt(item, sending))) break;
  }
  // A new version may be waiting since.
  if (!sending.signal.aborted && (await maySend())) await syncDrafts(sending);
}

/** @returns false when there is no use in trying the next one now */
async function attempt(item: OutboxRow, sending: Sending): Promise<boolean> {
  let identity: Identity;
  try {
    identity = await identify(sending.signal);
  } catch (error) {
    await recordFailure(item, asCallError(error), sending);
    return false;
  }
  // The cookie may be another person's by now, and their session must not carry this capsule.
  if (identity.user.id !== openedUserId()) {
    await updateItem(item.id, { state: 'needs-sign-in', failure: null });
    return true;
  }
  // The person may have taken the capsule back while we asked.
  if (!(await claimForSending(item.id))) return true;
  try {
    const { signal, onSent } = sending;
    const { capsule, ...people } = await uploadCapsule(item, {
      xsrf: identity.xsrf,
      signal,
      onSent: onSent && ((bytes) => onSent(item, bytes)),
      onPart: () => syncWords(sending),
    });
    // On a full device the delivered item is removed all the same; the list comes from the server.
    if (capsule) await addCreated(capsule).catch(() => undefined);
    await removeItem(item.id);
    // On a full device what comes back doesn't say why.
    if (item.account) await noteSealedHere(item.id).catch(() => undefined);
    const { title, dateToUnlock } = item.fields;
    announceDelivered({
      userId: identity.user.id,
      id: item.id,
      title,
      capsuleId: capsule?.id ?? null,
      dateToUnlock,
      // Another one where the server does not know the name.
      timeZone: capsule?.timeZone ?? item.timeZone,
      added: capsule?.added,
      ...people,
    });
    return true;
  } catch (error) {
    if (error instanceof AttachmentError) {
      await recordUnreadable(item, error);
      return true;
    }
    if (item.account && isKeyTaken(error)) {
      await leaveToOther(item.id, Date.now());
      return true;
    }
    if (!(error instanceof CallError) && !sending.signal.aborted) {
      // A failure of this device, not of the network: the other items go on.
      await scheduleRetry(item, deviceFailure(error), { after: null });
      return true;
    }
    await recordFailure(item, asCallError(error), sending);
    return !sending.signal.aborted && !isUnreachable(error);
  }
}

/** The person is asked for the file again. */
async function recordUnreadable(item: OutboxRow, { file }: AttachmentError): Promise<void> {
  if (file) await loseAttachment(file.id);
  const what = file ? `“${file.name}”` : 'A file of this capsule';
  const message = `${what} can't be read on this device any more. Please add it again.`;
  const failure = { code: FILE_DAMAGED, message, errors: { files: message } };
  await updateItem(item.id, { state: 'needs-fix', failure });
}

function deviceFailure(error: unknown): OutboxFailure {
  return isNoRoom(error)
    ? { code: 'DEVICE_FULL', message: 'Your device is out of space. Please free some.', errors: {} }
    : { code: 'DEVICE_FAILED', message: "We couldn't prepare it on this device.", errors: {} };
}

/** Notes what a failure means, for the screen and for the next run. */
async function recordFailure(
  item: OutboxRow,
  error: CallError,
  { signal, onSignedOut }: Sending,
): Promise<void> {
  if (signal.aborted || isAborted(error)) {
    await updateItem(item.id, { state: 'queued', nextTryAt: Date.now() });
    return;
  }
  const decision = decideRetry(error);
  const failure = failureOf(error);
  if (decision.kind !== 'retry') {
    await updateItem(item.id, { state: decision.kind, failure });
    if (decision.kind === 'needs-sign-in') onSignedOut?.();
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
