import { AppError } from '../app-error.ts';
import { lockAddressees, setArrived } from '../db/bounces.ts';
import { isProviderId, noteDelivery } from '../db/mails.ts';
import type { Deps } from '../deps.ts';
import type { DeliveryEvent } from '../mail/mailer.ts';
import { noteBounce } from './bounces.ts';

/** An event may come before we have noted the answer of the call that sent the email. */
const EARLY_MS = 600_000;

/**
 * Notes what became of an email. Events may come twice and in any order: the outcome is the same.
 * @returns whether it is about an email of ours
 * @throws UNAVAILABLE for a recent event about an unknown email, which is then told again later
 */
export async function receiveDelivery(
  { db, clock, mailQueued }: Pick<Deps, 'db' | 'clock' | 'mailQueued'>,
  event: DeliveryEvent,
): Promise<boolean> {
  const { delivery, at } = event;
  const isNews = await db.transaction(async (tx) => {
    await lockAddressees(tx, event.providerId);
    // Several notices may have gone as one email.
    const told = await noteDelivery(tx, event);
    for (const mail of told) {
      if (delivery === 'bounced') await noteBounce({ db: tx, clock }, mail, at);
      if (delivery === 'delivered') await setArrived(tx, mail, at);
    }
    return told.length > 0;
  });
  // What came back may go on to another address.
  if (isNews && delivery === 'bounced') mailQueued();
  if (isNews || (await isProviderId(db, event.providerId))) return true;
  if (clock.now().getTime() - at.getTime() > EARLY_MS) return false;
  throw new AppError('UNAVAILABLE', { message: 'This email is not known yet.', retryAfter: 60 });
}
