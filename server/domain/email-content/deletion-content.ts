import { findUserById } from '../../db/accounts/users.ts';
import { findDeletionOf } from '../../db/doors/ordered-deletions.ts';
import { findTimeZone } from '../../db/email-content/mail-subjects.ts';
import { deletionAnnouncedMail } from '../../mail/templates/deletion-announced.ts';
import type { RenderedMail } from '../../mail/templates/letter.ts';
import { contactOf } from '../accounts/contact.ts';
import { type ContentDeps, link } from './mail-readers.ts';

/** Null if the operator has withdrawn it, or the account is gone. */
export async function renderDeletionAnnounced(
  deps: ContentDeps,
  { userId }: { userId: string | null },
): Promise<RenderedMail | null> {
  const person = userId && (await findUserById(deps.db, userId));
  const order = person && (await findDeletionOf(deps.db, person.id));
  if (!order) return null;
  return deletionAnnouncedMail({
    name: person.name,
    dueAt: order.dueAt,
    zone: await findTimeZone(deps.db, person.id),
    isDelivered: order.capsules === 'deliver',
    canSignIn: person.suspendedAt === null,
    contact: contactOf(deps),
    url: link(deps, person.suspendedAt ? '/help' : '/profile'),
  });
}
