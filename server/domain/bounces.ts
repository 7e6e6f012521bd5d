import { setBounced } from '../db/bounces.ts';
import { type MailRow, sendToSecond } from '../db/mails.ts';
import type { Queryable } from '../db/open.ts';
import type { Deps } from '../deps.ts';
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
