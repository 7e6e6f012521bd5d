import { findStillSealed, YEARLY_KINDS, type YearlyKind } from '../../db/accounts/yearly-emails.ts';
import type { EmailPerson } from '../../db/email-content/subjects.ts';
import { addressCheckMail } from '../../mail/templates/address-check.ts';
import { keepsakeMail } from '../../mail/templates/keepsake.ts';
import type { RenderedEmail } from '../../mail/templates/layout.ts';
import { stillSealedMail } from '../../mail/templates/still-sealed.ts';
import { stillYoursTokens } from '../accounts/address-check.ts';
import { type ContentDeps, link, type Outgoing, secretLink } from './links.ts';

/** Whether an email is one of those that come once a year. */
export const isYearly = (row: Outgoing): row is YearlyRow =>
  YEARLY_KINDS.some((one) => one === row.kind);

type YearlyRow = Outgoing & { kind: YearlyKind };

/**
 * Reads what yearly emails tell about, for any number of them in a few statements. @returns renders
 * one of these rows; null if there is nothing to tell any more
 */
export async function prepareYearly(
  deps: ContentDeps,
  rows: YearlyRow[],
  people: Map<string, EmailPerson>,
): Promise<(row: YearlyRow, turnOffUrl: string | undefined) => RenderedEmail | null> {
  if (rows.length === 0) return () => null;
  const ids = rows.flatMap(({ kind, userId }) => (kind === 'still-sealed' && userId) || []);
  const sealed = await findStillSealed(deps.db, ids, deps.clock.now());
  const tokenFor = await stillYoursTokens(deps);
  return ({ kind, userId, address, slot }, turnOffUrl) => {
    const person = people.get(userId ?? '');
    if (!person) return null;
    const { id, name, email } = person;
    const stillSealed = sealed.get(id);
    switch (kind) {
      case 'keepsake':
        // Turned off meanwhile.
        if (person.keepsakeDueAt === null) return null;
        return keepsakeMail({ name, url: link(deps, '/profile'), turnOffUrl });
      case 'still-sealed':
        if (person.stillSealedDueAt === null || !stillSealed) return null;
        return stillSealedMail({ name, ...stillSealed, url: link(deps, '/dashboard'), turnOffUrl });
      case 'address-check':
        // There is no second address any more, and the main one was asked already.
        if (slot === 'second' && address === email) return null;
        return addressCheckMail({
          name,
          email,
          isElsewhere: address !== email,
          url: secretLink(deps, '/auth/still-yours', { token: tokenFor(id, email) }),
          changeUrl: link(deps, '/profile/addresses'),
          turnOffUrl,
        });
    }
  };
}
