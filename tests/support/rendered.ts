import { findEmailPeople } from '../../server/db/email-content/subjects.ts';
import type { Sending } from '../../server/db/emails/sendings.ts';
import type { ContentDeps } from '../../server/domain/email-content/links.ts';
import { prepareEmails } from '../../server/domain/email-content/render.ts';
import { addressOf } from '../../server/domain/emails/next-attempt.ts';

/** An email as it would go out, and where. Null if there is nothing to tell. */
export async function rendered(deps: ContentDeps, sending: Sending) {
  const { email, slot } = sending;
  const people = await findEmailPeople(deps.db, email.userId ? [email.userId] : []);
  const address = addressOf(sending, people.get(email.userId ?? '')) ?? '';
  const outgoing = { ...email, slot, address };
  const content = await (await prepareEmails(deps, [outgoing], people))(outgoing);
  if (content === 'withheld') throw new Error('It was withheld.');
  return content && { ...content, to: outgoing.address };
}
