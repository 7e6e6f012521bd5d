import { AppError } from '../app-error.ts';
import { lockAddressees, setArrived } from '../db/bounces.ts';
import { isProviderId, isUnanswered, noteDelivery } from '../db/mails.ts';
import type { Queryable } from '../db/open.ts';
import type { Deps } from '../deps.ts';
import { asReason, type DeliveryEvent } from '../mail/mailer.ts';
import { noteBounce } from './bounces.ts';
import { isUuid } from './is-uuid.ts';

/** An event may come before we have noted the answer of the call that sent the email. */
const EARLY_MS = 600_000;
/** The id of its row is the beginning of a `Mail.id`. */
const UUID_LENGTH = 36;

/**
 * Notes what became of an email. Events may come twice and in any order: the outcome is the same.
 * @returns whether it is about an email of ours
 * @throws UNAVAILABLE for an event about an email that may be known soon, which is then told again
 */
export async function receiveDelivery(
  { db, clock, mailQueued }: Pick<Deps, 'db' | 'clock' | 'mailQueued'>,
  event: DeliveryEvent,
): Promise<boolean> {
  const { providerId, mailId, delivery, at } = event;
  const ids = mailId === undefined ? [providerId] : [providerId, mailId];
  const reason = event.reason === undefined ? null : asReason(event.reason);
  const isNews = await db.transaction(async (tx) => {
    await lockAddressees(tx, ids);
    // Several notices may have gone as one email.
    const told = await noteDelivery(tx, { ids, delivery, at, reason });
    for (const mail of told) {
      if (delivery === 'bounced') await noteBounce({ db: tx, clock }, mail, at);
      if (delivery === 'delivered') await setArrived(tx, mail, at);
    }
    return told.length > 0;
  });
  // What came back may go on to another address.
  if (isNews && delivery === 'bounced') mailQueued();
  if (isNews || (await isProviderId(db, ids))) return true;
  const isEarly = clock.now().getTime() - at.getTime() <= EARLY_MS;
  if (!isEarly && !(await isTakenUnheard(db, mailId))) return false;
  throw new AppError('UNAVAILABLE', { message: 'This email is not known yet.', retryAfter: 60 });
}

/** The next attempt finds out that the provider has taken it. */
async function isTakenUnheard(db: Queryable, mailId = ''): Promise<boolean> {
  const rowId = mailId.slice(0, UUID_LENGTH);
  return isUuid(rowId) && isUnanswered(db, rowId);
}
