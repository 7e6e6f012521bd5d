import { lockAddressee, setBounced } from '../../db/emails/bounces.ts';
import { type MailRow, sendToSecond } from '../../db/emails/mails.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { hasSecondTry } from './mail-address.ts';

/**
 * An email came back, because its mailbox takes none. If it went to the person's main address, that
 * is noted with them, and the email goes once more, to the second address. An email that comes back
 * from there stays where it is.
 */
export async function noteBounce(
  { db, clock }: { db: Queryable } & Pick<Deps, 'clock'>,
  mail: MailRow,
  at: Date,
): Promise<void> {
  const person = await setBounced(db, mail, at);
  if (person?.secondEmail && hasSecondTry(mail)) await sendToSecond(db, mail, clock.now());
}

/**
 * An email could not be handed over for another reason, for a month or for good: its mailbox is full,
 * or nobody knows why. That says nothing about the next one, but this one goes once more, to the second
 * address. The question about an address does not: the second address is asked in any case. Nor does
 * what may have arrived at an earlier attempt.
 */
export async function noteFailure(
  { db, clock }: { db: Queryable } & Pick<Deps, 'clock'>,
  mail: MailRow,
): Promise<void> {
  if (!hasSecondTry(mail) || mail.kind === 'address-check' || mail.unknownSince) return;
  const person = await lockAddressee(db, mail);
  if (person?.secondEmail) await sendToSecond(db, mail, clock.now());
}
