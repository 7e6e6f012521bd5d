import { dayAt } from '../../../shared/day.ts';
import { findUntouched } from '../../db/drafts/drafts.ts';
import type { EmailPerson } from '../../db/email-content/subjects.ts';
import { draftUntouchedMail } from '../../mail/templates/draft-untouched.ts';
import type { RenderedEmail } from '../../mail/templates/layout.ts';
import { type ContentDeps, link, type Outgoing } from './links.ts';

type DraftEmail = Outgoing & { kind: 'draft-untouched' };

/** Whether an email asks about drafts. */
export const isAboutDrafts = (row: Outgoing): row is DraftEmail => row.kind === 'draft-untouched';

/** Reads what these emails ask about, as `prepareYearly` does. */
export async function prepareAboutDrafts(
  deps: ContentDeps,
  rows: DraftEmail[],
  people: Map<string, EmailPerson>,
): Promise<(row: DraftEmail) => RenderedEmail | null> {
  const ids = rows.flatMap(({ userId }) => userId ?? []);
  const untouched = await findUntouched(deps.db, ids, deps.clock.now());
  return ({ userId }) => {
    const person = people.get(userId ?? '');
    const found = untouched.get(userId ?? '');
    if (!person || !found) return null;
    return draftUntouchedMail({
      name: person.name,
      drafts: found.drafts,
      lastDay: dayAt(found.lastAt, 'UTC'),
      url: link(deps, '/dashboard'),
    });
  };
}
