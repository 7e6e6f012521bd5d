import { findAddedPeople } from '../../db/drafts/contributions.ts';
import type { EmailPerson } from '../../db/email-content/subjects.ts';
import { contributionAddedMail } from '../../mail/templates/contribution-added.ts';
import type { RenderedEmail } from '../../mail/templates/layout.ts';
import { type ContentDeps, link, type Outgoing } from './links.ts';

/** Whether an email tells an organiser that somebody has added to a draft. */
export const isAboutAdded = (row: Outgoing): boolean => row.kind === 'contribution-added';

/**
 * Reads who has added, for any number of emails in one statement. @returns renders one of them; null
 * once it was taken back, removed, or sealed
 */
export async function prepareAdded(
  deps: ContentDeps,
  rows: Outgoing[],
  people: Map<string, EmailPerson>,
): Promise<(row: Outgoing) => RenderedEmail | null> {
  if (rows.length === 0) return () => null;
  const added = await findAddedPeople(
    deps.db,
    rows.flatMap(({ aboutId }) => aboutId ?? []),
  );
  return ({ userId, aboutId }) => {
    const person = people.get(userId ?? '');
    const one = added.get(aboutId ?? '');
    if (!person || !one || one.userId !== person.id) return null;
    const url = link(deps, '/create', { draft: one.draftId });
    return contributionAddedMail({
      name: person.name,
      from: one.name,
      title: one.title ?? '',
      url,
    });
  };
}
