import { MINUTE_MS } from '../../shared/limits.ts';
import { later } from '../clock/clock.ts';
import {
  claimDuePushes,
  countLeft,
  type DuePush,
  postponePush,
  removeGone,
  removePush,
} from '../db/push/push.ts';
import type { Deps } from '../deps.ts';
import { findPushKeys, pushPayload } from '../domain/push/push.ts';
import { allOf } from '../limiter.ts';
import type { PushKeys } from '../push/push-sender.ts';

const AT_ONCE = 20;
/** Longer than the sender waits for an answer. */
const LEASE_MS = 120_000;
/** After so many attempts without success, in a day, a message is given up: there is an email as well. */
const PAUSES_MS = [1, 10, 60, 360, 720].map((minutes) => minutes * MINUTE_MS);
const PAUSE_MAX_MS = 1_440 * MINUTE_MS;

/** From this status on, the service has enough for now, or is in trouble. */
const TOO_MANY_REQUESTS = 429;

type PushDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'push'>;

/**
 * Sends due messages to browsers, a few at a time. If all of those fail, the rest waits for the next
 * pass. One is sent twice only if the process dies between the service's answer and the row; the
 * device then shows one notification all the same.
 */
export async function sendDuePushes(deps: PushDeps, signal: AbortSignal): Promise<void> {
  let answers = true;
  while (answers && !signal.aborted) {
    const lease = { now: deps.clock.now(), leaseMs: LEASE_MS, limit: AT_ONCE };
    const due = await claimDuePushes(deps.db, lease);
    if (due.length === 0) return;
    const keys = await findPushKeys(deps);
    const attempts = due.map((message) => attempt(deps, message, keys));
    answers = (await allOf(attempts)).includes(true);
  }
}

/** @returns whether nothing is wrong with the service */
async function attempt(deps: PushDeps, message: DuePush, keys: PushKeys): Promise<boolean> {
  const { config, db, log } = deps;
  // The rest of the address is a secret.
  const service = new URL(message.endpoint).host;
  const capsules = await countLeft(db, message);
  // They may all have been deleted meanwhile.
  if (capsules > 0) {
    const payload = pushPayload(config, capsules);
    const outcome = await deps.push.send({ target: message, keys, payload }).catch((err: Error) => {
      log.warn({ err, service }, 'A push service could not be reached.');
      return null;
    });
    if (outcome === null) {
      await postpone(deps, message, 0);
      return false;
    }
    if (outcome === 'gone') {
      await removeGone(db, message.subscriptionId);
      return true;
    }
    if (outcome !== 'taken') {
      const { status, retryAfterMs } = outcome;
      log.warn({ service, status }, 'A push service refused a message.');
      await postpone(deps, message, retryAfterMs);
      return status < TOO_MANY_REQUESTS;
    }
  }
  await removePush(db, message.id);
  return true;
}

async function postpone({ db, clock }: PushDeps, message: DuePush, atLeastMs: number) {
  const pause = PAUSES_MS[message.attempts - 1];
  if (pause === undefined) return removePush(db, message.id);
  const ms = Math.min(PAUSE_MAX_MS, Math.max(pause, atLeastMs));
  await postponePush(db, message.id, later(clock.now(), ms));
}
