import type { Sending } from '../../server/db/emails/sendings.ts';
import { prepareEmails } from '../../server/domain/email-content/mail-content.ts';
import type { ContentDeps } from '../../server/domain/email-content/mail-readers.ts';
import { setAddresses } from '../../server/domain/emails/address.ts';

/** An email as it would go out, and where. Null if there is nothing to tell. */
export async function rendered(deps: ContentDeps, sending: Sending) {
  await setAddresses(deps, [sending]);
  const { email, cause, slot, address } = sending;
  const outgoing = { ...email, cause, slot, toAddress: address ?? '' };
  const content = await (await prepareEmails(deps, [outgoing]))(outgoing);
  if (content === 'withheld') throw new Error('It was withheld.');
  return content && { ...content, to: outgoing.toAddress };
}
