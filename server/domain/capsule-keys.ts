import { AppError } from '../app-error.ts';
import { claimKey, findKey, releaseKey, renewKey } from '../db/capsule-keys.ts';
import { isForeignKeyViolation } from '../db/errors.ts';
import type { Actor, Deps } from '../deps.ts';

/** A crashed request's key is free again after this; a living one renews well before. */
const LEASE_MS = 60_000;
const RENEW_MS = 20_000;

/** This request's hold on an Idempotency-Key while it receives a capsule. */
export interface KeyClaim {
  userId: string;
  key: string;
  claim: string;
  /** Frees the key after a failure, so that the same capsule can be tried again. */
  release(): Promise<void>;
  /** Stops renewing, after success. */
  stop(): void;
}

/** The key has made a capsule before. */
export interface EarlierCapsule {
  fingerprint: string;
  capsuleId: string;
}

/**
 * Takes the key for a new creation, or finds the one it has made.
 * @throws IDEMPOTENCY_KEY_IN_PROGRESS while another request receives it; CAPSULE_DELETED;
 *   UNAUTHENTICATED when the account is gone.
 */
export async function openKey(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'log'>,
  actor: Actor,
  key: string,
): Promise<{ claim: KeyClaim } | { earlier: EarlierCapsule }> {
  const name = { userId: actor.userId, key: key.toLowerCase(), claim: deps.ids.uuid() };
  const lease = () => new Date(deps.clock.now().getTime() + LEASE_MS);
  const wanted = { ...name, leaseUntil: lease(), now: deps.clock.now() };
  const claimed = await claimKey(deps.db, wanted).catch((error: unknown) => {
    // The account was deleted between the request's session and its key.
    throw isForeignKeyViolation(error) ? new AppError('UNAUTHENTICATED') : error;
  });
  if (claimed) {
    const timer = setInterval(() => {
      renewKey(deps.db, name, lease()).catch(() => deps.log.warn('a key could not be renewed'));
    }, RENEW_MS);
    const stop = () => clearInterval(timer);
    const release = async () => {
      stop();
      // A key that cannot be freed now frees itself when its lease ends.
      await releaseKey(deps.db, name).catch(() => deps.log.warn('a key could not be released'));
    };
    return { claim: { ...name, stop, release } };
  }
  const row = await findKey(deps.db, name);
  if (row?.state !== 'done' || row.fingerprint === null) {
    throw new AppError('IDEMPOTENCY_KEY_IN_PROGRESS', { retryAfter: 5 });
  }
  if (row.capsuleId === null) throw new AppError('CAPSULE_DELETED');
  return { earlier: { fingerprint: row.fingerprint, capsuleId: row.capsuleId } };
}
