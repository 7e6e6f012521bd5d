import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { later } from '../../clock/clock.ts';
import { claimKey, findKey, releaseKey, renewKey } from '../../db/capsules/capsule-keys.ts';
import { hasCreated } from '../../db/emails/notices.ts';
import { isForeignKeyViolation } from '../../db/errors.ts';
import type { Deps } from '../../deps.ts';

/** A crashed request's key is free after this time. A living request renews it earlier. */
const LEASE_MS = 60_000;
const RENEW_MS = 20_000;

/** This request's hold on an Idempotency-Key while it receives a capsule. */
export interface KeyClaim {
  userId: string;
  key: string;
  claim: string;
  /** Frees the key after a failure, so that the capsule can be sent again. */
  release(): Promise<void>;
  /** Stops renewing, after success. */
  stop(): void;
}

/** The capsule that was made under the key before. */
export interface EarlierCapsule {
  fingerprint: string;
  capsuleId: string;
}

/**
 * Claims the key, or finds the capsule made under it. @throws IDEMPOTENCY_KEY_IN_PROGRESS while
 * another request holds it; CAPSULE_DELETED; UNAUTHENTICATED if the account is gone
 */
export async function openKey(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'log'>,
  actor: Actor,
  key: string,
): Promise<{ claim: KeyClaim } | { earlier: EarlierCapsule }> {
  const name = { userId: actor.userId, key: key.toLowerCase(), claim: deps.ids.uuid() };
  const lease = () => later(deps.clock.now(), LEASE_MS);
  const wanted = { ...name, leaseUntil: lease(), now: deps.clock.now() };
  const claimed = await claimKey(deps.db, wanted).catch((error: unknown) => {
    // The account was deleted between the request's session and its key.
    throw isForeignKeyViolation(error) ? new AppError('UNAUTHENTICATED') : error;
  });
  if (claimed) {
    const timer = setInterval(() => {
      renewKey(deps.db, name, lease()).catch(() =>
        deps.log.warn('The lease of an idempotency key could not be renewed.'),
      );
    }, RENEW_MS);
    const stop = () => clearInterval(timer);
    const release = async () => {
      stop();
      // If this fails, the key is free when its lease ends.
      await releaseKey(deps.db, name).catch(() =>
        deps.log.warn('An idempotency key could not be released.'),
      );
    };
    return { claim: { ...name, stop, release } };
  }
  const row = await findKey(deps.db, name);
  if (row?.state !== 'done' || row.fingerprint === null) {
    throw new AppError('IDEMPOTENCY_KEY_IN_PROGRESS', { retryAfter: 5 });
  }
  const { capsuleId } = row;
  // In the bin it has been deleted, too.
  if (!capsuleId || !(await hasCreated(deps.db, actor.userId, capsuleId))) {
    throw new AppError('CAPSULE_DELETED');
  }
  return { earlier: { fingerprint: row.fingerprint, capsuleId } };
}
