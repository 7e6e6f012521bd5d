import { AppError } from '../app-error.ts';
import { setArrived } from '../db/bounces.ts';
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
  const isKnown = await db.transaction(async (tx) => {
    const mail = await noteDelivery(tx, event);
    if (mail && event.delivery === 'bounced') await noteBounce({ db: tx, clock }, mail, event.at);
    if (mail && event.delivery === 'delivered') await setArrived(tx, mail, event.at);
    return mail !== null;
  });
  mailQueued();
  if (isKnown || (await isProviderId(db, event.providerId))) return true;
  if (clock.now().getTime() - event.at.getTime() > EARLY_MS) return false;
  throw new AppError('UNAVAILABLE', { message: 'This email is not known yet.', retryAfter: 60 });
}
