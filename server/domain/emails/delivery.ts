import { AppError } from '../../app-error.ts';
import { lockAddressees, setArrived } from '../../db/emails/bounces.ts';
import {
  findUnanswered,
  hasComplained,
  isMail,
  isProviderId,
  markSent,
  noteDelivery,
} from '../../db/emails/mail-outcomes.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { asReason, type DeliveryEvent } from '../../mail/mailer.ts';
import { noteBounce } from './bounces.ts';
import { isOfMail, rowIdOf } from './mail-address.ts';

/** An event may come before we have noted the answer of the call that sent the email. */
const EARLY_MS = 600_000;

/**
 * Notes what became of an email. Events may come twice and in any order: the outcome is the same.
 * @returns whether it is about an email of ours
 * @throws UNAVAILABLE for a recent event about an email of ours that is not noted as sent, which is then
 * told again later
 */
export async function receiveDelivery(
  { db, clock, mailQueued }: Pick<Deps, 'db' | 'clock' | 'mailQueued'>,
  event: DeliveryEvent,
): Promise<boolean> {
  const { providerId, mailId, at } = event;
  const ids = mailId === undefined ? [providerId] : [providerId, mailId];
  // By SMTP, the key of an email is the provider's id as well.
  const rowId = rowIdOf(mailId ?? providerId);
  const reason = event.reason === undefined ? null : asReason(event.reason);
  const isEarly = clock.now().getTime() - at.getTime() <= EARLY_MS;
  const isNews = await db.transaction(async (tx) => {
    await lockAddressees(tx, { providerIds: ids, rowId });
    if (rowId && !isEarly) await settleUnanswered(tx, rowId, event);
    // Who said that our emails are spam must not get them at another address.
    const isComplaint = event.isSuppressed && (await hasComplained(tx, ids));
    const delivery = isComplaint ? 'complained' : event.delivery;
    // Several notices may have gone as one email.
    const told = await noteDelivery(tx, { ids, delivery, at, reason });
    for (const mail of told) {
      if (delivery === 'bounced') await noteBounce({ db: tx, clock }, mail, at);
      if (delivery === 'delivered') await setArrived(tx, mail, at);
    }
    return told.length > 0;
  });
  // What came back may go on to another address.
  if (isNews && event.delivery === 'bounced') mailQueued();
  if (isNews || (await isProviderId(db, ids))) return true;
  // Another installation on the same account of the provider, or a server of before, sent the others.
  if (!isEarly || !rowId || !(await isMail(db, rowId))) return false;
  throw new AppError('UNAVAILABLE', { message: 'This email is not known yet.', retryAfter: 60 });
}

/** What is told of an email whose answer was lost shows that the provider has taken it. */
async function settleUnanswered(
  tx: Queryable,
  rowId: string,
  { providerId, mailId, at }: DeliveryEvent,
): Promise<void> {
  const row = await findUnanswered(tx, rowId);
  if (row && isOfMail(row, mailId ?? providerId)) {
    await markSent(tx, [{ id: rowId, providerId }], at);
  }
}
