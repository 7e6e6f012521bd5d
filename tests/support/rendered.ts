import { findAddressees } from '../../server/db/email-content/mail-subjects.ts';
import type { Sending } from '../../server/db/emails/sendings.ts';
import { prepareEmails } from '../../server/domain/email-content/mail-content.ts';
import type { ContentDeps } from '../../server/domain/email-content/mail-readers.ts';
import { addressOf } from '../../server/domain/emails/address.ts';

/** An email as it would go out, and where. Null if there is nothing to tell. */
export async function rendered(deps: ContentDeps, sending: Sending) {
  const { email, slot } = sending;
  const people = await findAddressees(deps.db, email.userId ? [email.userId] : []);
  const toAddress = addressOf(sending, people.get(email.userId ?? '')) ?? '';
  const outgoing = { ...email, slot, toAddress };
  const content = await (await prepareEmails(deps, [outgoing], people))(outgoing);
  if (content === 'withheld') throw new Error('It was withheld.');
  return content && { ...content, to: outgoing.toAddress };
}
