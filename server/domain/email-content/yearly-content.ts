import { countWaiting } from '../../db/accounts/yearly-emails.ts';
import type { EmailPerson } from '../../db/email-content/subjects.ts';
import { addressCheckMail } from '../../mail/templates/address-check.ts';
import type { RenderedEmail } from '../../mail/templates/layout.ts';
import { stillYoursTokens } from '../accounts/address-check.ts';
import { type ContentDeps, link, type Outgoing, secretLink } from './links.ts';

/** Whether an email is the one that comes once a year. */
export const isYearly = (row: Outgoing): boolean => row.kind === 'address-check';

/**
 * Reads what yearly emails tell about, for any number of them in a few statements. @returns renders
 * one of these rows; null if there is nothing to ask any more
 */
export async function prepareYearly(
  deps: ContentDeps,
  rows: Outgoing[],
  people: Map<string, EmailPerson>,
): Promise<(row: Outgoing, turnOffUrl: string | undefined) => RenderedEmail | null> {
  if (rows.length === 0) return () => null;
  const ids = rows.flatMap(({ userId }) => userId ?? []);
  const waiting = await countWaiting(deps.db, ids, deps.clock.now());
  const tokenFor = await stillYoursTokens(deps);
  return ({ userId, address }, turnOffUrl) => {
    const person = people.get(userId ?? '');
    const capsules = waiting.get(userId ?? '');
    if (!person || !capsules) return null;
    const { id, name, email } = person;
    return addressCheckMail({
      name,
      email,
      capsules,
      isElsewhere: address !== email,
      url: secretLink(deps, '/auth/still-yours', { token: tokenFor(id, email) }),
      changeUrl: link(deps, '/profile/addresses'),
      turnOffUrl,
    });
  };
}
