import { DAY_MS } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import type { Queryable } from '../db/open.ts';
import { findOldestSeal, findSealsToOne } from '../db/seals-a-day.ts';

/**
 * How many capsules one person seals within 24 hours: in all, and for the same recipient. Far more
 * than anybody writes; a script must not fill the database, or the list of a stranger.
 */
const SEALED_A_DAY = { inAll: 1_000, toOne: 500 };

/**
 * Called in the transaction that seals. Deleted capsules do not count.
 * @param sealedBefore how many capsules of this person the last 24 hours have seen before this one
 * @throws RATE_LIMITED
 */
export async function assertWithinDay(
  tx: Queryable,
  capsule: { creatorId: string; createdAt: Date },
  { sealedBefore, recipientIds }: { sealedBefore: number; recipientIds: string[] },
): Promise<void> {
  const { creatorId } = capsule;
  const since = aDayBefore(capsule.createdAt);
  // Nobody can have been sent more than were sealed.
  if (sealedBefore < SEALED_A_DAY.toOne) return;
  const isTooMany = sealedBefore >= SEALED_A_DAY.inAll;
  const toOne = await findSealsToOne(tx, { creatorId, since, recipientIds });
  if (!isTooMany && toOne <= SEALED_A_DAY.toOne) return;
  const most = isTooMany
    ? `You've sealed ${SEALED_A_DAY.inAll.toLocaleString('en')} capsules within a day`
    : `You've sent the same person ${SEALED_A_DAY.toOne} capsules within a day`;
  const oldest = await findOldestSeal(tx, { creatorId, since });
  throw new AppError('RATE_LIMITED', {
    message: `${most}, which is as many as we take. Please try again later.`,
    retryAfter: Math.ceil((oldest.getTime() - since.getTime()) / 1000),
  });
}

export function aDayBefore(instant: Date): Date {
  return new Date(instant.getTime() - DAY_MS);
}
