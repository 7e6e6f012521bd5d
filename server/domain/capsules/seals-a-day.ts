import { DAY_MS, RECIPIENTS_MAX } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { later } from '../../clock/clock.ts';
import { countRecipients, findOldestSeal, findSealsToOne } from '../../db/capsules/seals-a-day.ts';
import type { Queryable } from '../../db/open.ts';

/**
 * How many capsules one person seals within 24 hours: in all, and for the same recipient; and how
 * many recipients those with several have together. Far more than anybody writes; a script must not
 * fill the database, or the list of a stranger, or write to everybody on the day they open.
 */
const SEALED_A_DAY = { inAll: 1_000, toOne: 500, recipients: 2_000 };

interface Counted {
  sealedBefore: number;
  recipientIds: string[];
  ownLimit: number | null;
}

/**
 * Called in the transaction that seals. Deleted capsules do not count.
 * @param counted how many capsules of this person the last 24 hours have seen before this one; and
 * how many they may seal, where an operator has decided so
 * @throws RATE_LIMITED
 */
export async function assertWithinDay(
  tx: Queryable,
  capsule: { creatorId: string; createdAt: Date },
  counted: Counted,
): Promise<void> {
  if (counted.ownLimit === 0) {
    const message = "Your account can't seal capsules at the moment.";
    throw new AppError('RATE_LIMITED', { message, retryAfter: 3_600 });
  }
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
  { sealedBefore, recipientIds, ownLimit }: Counted,
): Promise<string | null> {
  const { toOne, recipients } = SEALED_A_DAY;
  const inAll = ownLimit ?? SEALED_A_DAY.inAll;
  const atMost = (sealedBefore + 1) * RECIPIENTS_MAX;
  if (recipientIds.length > 1 && atMost > recipients) {
    const isTooMany = (await countRecipients(tx, sealed)) > recipients;
    if (isTooMany)
      return `You've chosen ${recipients.toLocaleString('en')} recipients within a day`;
  }
  if (sealedBefore >= inAll) {
    const capsules = inAll === 1 ? '1 capsule' : `${inAll.toLocaleString('en')} capsules`;
    return `You've sealed ${capsules} within a day`;
  }
  // Nobody can have been sent more than were sealed.
  if (sealedBefore < toOne) return null;
  const isTooMany = (await findSealsToOne(tx, { ...sealed, recipientIds })) > toOne;
  return isTooMany ? `You've sent the same person ${toOne} capsules within a day` : null;
}

export function aDayBefore(instant: Date): Date {
  return later(instant, -DAY_MS);
}
