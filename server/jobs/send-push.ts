import { findReady } from '../db/opened-capsules.ts';
import { claimDuePushes, type DuePush, postponePush, removeGone, removePush } from '../db/push.ts';
import type { Deps } from '../deps.ts';
import { findPushKeys, pushPayload } from '../domain/push.ts';
import type { PushKeys } from '../push/push-sender.ts';

const AT_ONCE = 10;
/** Longer than the sender waits for an answer. */
const LEASE_MS = 120_000;
const MINUTE_MS = 60_000;
/** After so many attempts without success, in a day, a message is given up: there is an email as well. */
const PAUSES_MS = [1, 10, 60, 360, 720].map((minutes) => minutes * MINUTE_MS);
const PAUSE_MAX_MS = 1_440 * MINUTE_MS;

type PushDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'push'>;

/**
 * Sends due messages to browsers, a few at a time. One is sent twice only if the process dies
 * between the service's answer and the row; the device then shows one notification all the same.
 */
export async function sendDuePushes(deps: PushDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const lease = { now: deps.clock.now(), leaseMs: LEASE_MS, limit: AT_ONCE };
    const due = await claimDuePushes(deps.db, lease);
    if (due.length === 0) return;
    const keys = await findPushKeys(deps);
    await Promise.all(due.map((message) => attempt(deps, message, keys)));
  }
}

async function attempt(deps: PushDeps, message: DuePush, keys: PushKeys): Promise<void> {
  const { config, db, clock, log } = deps;
  // The rest of the endpoint is a secret.
  const service = new URL(message.endpoint).host;
  try {
    const { total: waiting } = await findReady(db, message.userId, clock.now(), 0);
    const payload = pushPayload(config, { ...message, waiting });
    const outcome = await deps.push.send({ target: message, keys, payload });
    if (outcome === 'taken') return await removePush(db, message.id);
    if (outcome === 'gone') return await removeGone(db, message.subscriptionId);
    log.warn({ service, status: outcome.status }, 'a push service refused a message');
    await postpone(deps, message, outcome.retryAfterMs);
  } catch (error) {
    log.warn({ err: error, service }, 'a push service could not be reached');
    await postpone(deps, message, 0);
  }
}

async function postpone({ db, clock }: PushDeps, message: DuePush, atLeastMs: number) {
  const pause = PAUSES_MS[message.attempts - 1];
  if (pause === undefined) return removePush(db, message.id);
  const ms = Math.min(PAUSE_MAX_MS, Math.max(pause, atLeastMs));
  await postponePush(db, message.id, new Date(clock.now().getTime() + ms));
}
