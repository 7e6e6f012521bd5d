import { lockPeopleNamed, setArrived } from '../../db/emails/bounces.ts';
import { hasComplained, isSending, noteOutcome } from '../../db/emails/outcomes.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';
import { asReason, type DeliveryEvent } from '../../mail/mailer.ts';
import { noteBounce } from './send-again.ts';

/**
 * Notes what became of an email. Events may come twice and in any order, even before the answer of the
 * call that sent it: the outcome is the same.
 * @returns whether it is about an email of ours
 */
export async function receiveDelivery(
  { db, clock, ids, mailQueued }: Pick<Deps, 'db' | 'clock' | 'ids' | 'mailQueued'>,
  { providerId, sendingId = providerId, at, ...event }: DeliveryEvent,
): Promise<boolean> {
  // By SMTP, our own id is the only one.
  const named = { id: isUuid(sendingId) ? sendingId : null, providerId };
  const reason = event.reason === undefined ? null : asReason(event.reason);
  const isNews = await db.transaction(async (tx) => {
    await lockPeopleNamed(tx, named);
    // Who said that our emails are spam must not get them at another address.
    const isComplaint = event.isSuppressed && (await hasComplained(tx, named));
    const outcome = isComplaint ? 'complained' : event.outcome;
    // Several only where a version from before 1.0.0 has sent some notices as one email.
    const noted = await noteOutcome(tx, { ...named, outcome, at, reason });
    for (const sending of noted) {
      if (outcome === 'bounced') await noteBounce({ db: tx, clock, ids }, sending, at);
      if (outcome === 'delivered') await setArrived(tx, sending, at);
    }
    return noted.length > 0;
  });
  // What came back may go on to another address.
  if (isNews && event.outcome === 'bounced') mailQueued();
  return isNews || isSending(db, named);
}
