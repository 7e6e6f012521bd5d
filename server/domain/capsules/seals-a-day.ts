import { DAY_MS, RECIPIENTS_MAX } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { later } from '../../clock/clock.ts';
import { countRecipients } from '../../db/capsules/seals-a-day.ts';
import type { Queryable } from '../../db/open.ts';

/**
 * How many capsules one person seals within 24 hours, and how many recipients those with several have
 * together. Far more than anybody writes; a script must not fill the database, or the list of a
 * stranger, or write to everybody on the day they open.
 */
const SEALED_A_DAY = { capsules: 1_000, recipients: 2_000 };
/** Nobody who writes by hand comes here. */
const RETRY_AFTER_SECONDS = 3_600;

interface Counted {
  sealedBefore: number;
  recipients: number;
  ownLimit: number | null;
}

/**
 * Called in the transaction that seals. Those that are deleted for good do not count.
 * @param counted how many capsules of this person the last 24 hours have seen before this one; for how
 * many it is; and how many they may seal, where an operator has decided so
 * @throws RATE_LIMITED
 */
export async function assertWithinDay(
  tx: Queryable,
  { creatorId, createdAt }: { creatorId: string; createdAt: Date },
  { sealedBefore, recipients, ownLimit }: Counted,
): Promise<void> {
  const most = ownLimit ?? SEALED_A_DAY.capsules;
  if (most === 0) throw refused("Your account can't seal capsules at the moment.");
  if (sealedBefore >= most) {
    throw tooMany(`sealed ${most === 1 ? '1 capsule' : `${most.toLocaleString('en')} capsules`}`);
  }
  // Counts no more than it has to: most people have sealed only a few.
  if (recipients === 1 || (sealedBefore + 1) * RECIPIENTS_MAX <= SEALED_A_DAY.recipients) return;
  const all = await countRecipients(tx, { creatorId, since: aDayBefore(createdAt) });
  if (all > SEALED_A_DAY.recipients)
    throw tooMany(`chosen ${SEALED_A_DAY.recipients.toLocaleString('en')} recipients`);
}

const tooMany = (done: string) =>
  refused(`You've ${done} within a day, which is the most we allow. Please try again later.`);

const refused = (message: string) =>
  new AppError('RATE_LIMITED', { message, retryAfter: RETRY_AFTER_SECONDS });

export function aDayBefore(instant: Date): Date {
  return later(instant, -DAY_MS);
}
