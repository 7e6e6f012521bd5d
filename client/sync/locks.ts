import type { Capsule } from '../../shared/api/capsules.ts';
import type { Recipient } from '../../shared/api/user.ts';
import type { Day } from '../../shared/day.ts';
import { withLock } from '../db/with-lock.ts';

/*
 * One queue for all pages and the worker: the Web Locks under which they take turns, and the
 * channels by which they stop and inform each other.
 */

/** The queue of a person's capsules and drafts. */
export const OUTBOX = 'time-capsule-outbox';

/** The queue of what is added without an account. */
export const ADDING = 'time-capsule-adding';

/**
 * Held by whoever needs the queue to stand still: the sender stops, and nobody else starts. Tabs
 * of older versions know the lock by this name.
 */
export const PAUSE_LOCK = 'time-capsule-update';

const PAUSE_CHANNEL = 'time-capsule-pause';
const DELIVERED_CHANNEL = 'time-capsule-delivered';

/** Whether somebody needs the queue to stand still. */
export async function isPauseWanted(): Promise<boolean> {
  try {
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name === PAUSE_LOCK);
  } catch {
    // Without locks there is no worker and no update to wait for.
    return false;
  }
}

/**
 * Runs `work` while no page and no worker sends anything: the sender stops at once, and nobody starts.
 * @param stopped this page's own sending, which ends. The next page in line finds the pause: its lock is
 *   taken before this page lets go of the queue's
 * @param work is told whether that is certain: a sender that does not stop in time is not waited for
 */
export async function whileAllPause<Done>(
  stopped: Promise<void> | undefined,
  work: (isPaused: boolean) => Promise<Done>,
): Promise<Done> {
  let done!: Done;
  let hasBegun = false;
  const begin = async (isPaused: boolean) => {
    hasBegun = true;
    await stopped;
    done = await work(isPaused);
  };
  await withLock(PAUSE_LOCK, { mode: 'shared' }, async () => {
    broadcast(PAUSE_CHANNEL, 'pause');
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      await withLock(OUTBOX, { signal }, begin);
    } catch (error) {
      if (hasBegun) throw error;
      await begin(false);
    }
  });
  return done;
}

/** How long to wait for the sender to stop: a frozen page does not hear the message. */
const PATIENCE_MS = 5_000;

/** @returns how to stop listening */
export function onPause(listener: () => void): () => void {
  return listen(PAUSE_CHANNEL, listener);
}

/** A queued capsule that the server has sealed. */
export interface Delivered {
  userId: string;
  /** Its Idempotency-Key. */
  id: string;
  title: string;
  /** Its id on the server; null when the server only said that it has the capsule. */
  capsuleId: string | null;
  dateToUnlock: Day;
  timeZone: string;
  recipients: readonly Recipient[];
  /** Who else is in it, if the server has told. */
  added?: Capsule['added'];
  /** To be handed over to invited people, where only these links make their accounts. */
  invitations?: readonly InvitationLink[];
}

export interface InvitationLink {
  name: string;
  email: string;
  link: string;
}

/** Tells every open page, whichever page or worker has sent it. */
export function announceDelivered(delivered: Delivered): void {
  broadcast(DELIVERED_CHANNEL, delivered);
}

/** @returns how to stop listening */
export function onDelivered(listener: (delivered: Delivered) => void): () => void {
  return listen(DELIVERED_CHANNEL, listener);
}

function broadcast(name: string, message: unknown): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage(message);
  channel.close();
}

function listen<Message>(name: string, listener: (message: Message) => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Message>) => listener(data);
  return () => channel.close();
}
