import { DAY_MS, RECIPIENTS_MAX } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { countRecipients, findOldestSeal, findSealsToOne } from '../../db/capsules/seals-a-day.ts';
import type { Queryable } from '../../db/open.ts';

/**
 * How many capsules one person seals within 24 hours: in all, and for the same recipient; and how
 * many recipients those with several have together. Far more than anybody writes; a script must not
 * fill the database, or the list of a stranger, or write to everybody on the day they open.
 */
const SEALED_A_DAY = { inAll: 1_000, toOne: 500, recipients: 2_000 };

/**
 * Called in the transaction that seals. Deleted capsules do not count.
 * @param sealedBefore how many capsules of this person the last 24 hours have seen before this one
 * @throws RATE_LIMITED
 */
export async function assertWithinDay(
  tx: Queryable,
  capsule: { creatorId: string; createdAt: Date },
  counted: { sealedBefore: number; recipientIds: string[] },
): Promise<void> {
  const since = aDayBefore(capsule.createdAt);
  const sealed = { creatorId: capsule.creatorId, since };
  const most = await findExceeded(tx, sealed, counted);
  if (!most) return;
  const oldest = await findOldestSeal(tx, sealed);
  throw new AppError('RATE_LIMITED', {
    message: `${most}, which is the most we allow. Please try again later.`,
    retryAfter: Math.ceil((oldest.getTime() - since.getTime()) / 1000),
  });
}

/** Counts no more than it has to: most people have sealed only a few. */
async function findExceeded(
  tx: Queryable,
  sealed: { creatorId: string; since: Date },
  { sealedBefore, recipientIds }: { sealedBefore: number; recipientIds: string[] },
): Promise<string | null> {
  const { inAll, toOne, recipients } = SEALED_A_DAY;
  const atMost = (sealedBefore + 1) * RECIPIENTS_MAX;
  if (recipientIds.length > 1 && atMost > recipients) {
    const isTooMany = (await countRecipients(tx, sealed)) > recipients;
    if (isTooMany)
      return `You've chosen ${recipients.toLocaleString('en')} recipients within a day`;
  }
  if (sealedBefore >= inAll) {
    return `You've sealed ${inAll.toLocaleString('en')} capsules within a day`;
  }
  // Nobody can have been sent more than were sealed.
  if (sealedBefore < toOne) return null;
  const isTooMany = (await findSealsToOne(tx, { ...sealed, recipientIds })) > toOne;
  return isTooMany ? `You've sent the same person ${toOne} capsules within a day` : null;
}

export function aDayBefore(instant: Date): Date {
  return new Date(instant.getTime() - DAY_MS);
}
