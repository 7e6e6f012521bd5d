import {
  type AddressChange,
  findAddressChange,
  findWaitingPassword,
} from '../../db/accounts/account-changes.ts';
import type { EmailPerson } from '../../db/email-content/subjects.ts';
import {
  addressChangedMail,
  addressToChangeMail,
  changeUndoneMail,
  confirmAddressMail,
  passwordWaitingHereMail,
  passwordWaitingMail,
} from '../../mail/templates/addresses.ts';
import type { RenderedEmail } from '../../mail/templates/layout.ts';
import { issueAddressLink } from '../accounts/link-tokens.ts';
import { findOthers } from '../accounts/new-password.ts';
import { asksForPasskey } from '../accounts/passkey-choice.ts';
import { type ContentDeps, link, type Outgoing, secretLink, toPerson } from './links.ts';

/**
 * Renders an email about addresses, and makes the token of its link. Null if there is nothing to tell
 * any more.
 */
export async function renderAboutAddresses(
  deps: ContentDeps,
  row: Outgoing,
  person: EmailPerson,
): Promise<RenderedEmail | null> {
  if (row.kind === 'change-undone') {
    const asked = await findOthers(deps.db, person, person.email, deps.clock.now());
    return changeUndoneMail({
      ...(await toPerson(deps, person, link(deps, '/help'))),
      undoneAt: row.createdAt,
      isAsked: asked.includes(row.address),
    });
  }
  const change = row.aboutId && (await findAddressChange(deps.db, row.aboutId));
  if (!change || change.undoneAt) return null;
  const render = row.kind === 'confirm-address' ? renderConfirm : renderChanged;
  return render(deps, change, person);
}

async function renderConfirm(deps: ContentDeps, change: AddressChange, person: EmailPerson) {
  const { slot, takesEffectAt, confirmUntil, confirmedAt } = change;
  const now = deps.clock.now();
  if (!confirmUntil || confirmedAt || confirmUntil <= now) return null;
  const token = await tokenFor(deps, change, { purpose: 'confirm', expiresAt: confirmUntil });
  const about = await toPerson(deps, person, secretLink(deps, '/auth/confirm-email', { token }));
  return confirmAddressMail({
    ...about,
    slot,
    waitsUntil: takesEffectAt > now ? takesEffectAt : null,
  });
}

async function renderChanged(deps: ContentDeps, change: AddressChange, person: EmailPerson) {
  const { slot, newAddress, previousSecond, takesEffectAt, objectionUntil } = change;
  // One that has taken effect is told even where it is too late to undo it. Only an operator's is
  // told before.
  const expiresAt = objectionUntil ?? takesEffectAt;
  const until = expiresAt > deps.clock.now() ? expiresAt : null;
  const token = until && (await tokenFor(deps, change, { purpose: 'undo', expiresAt }));
  const url = token ? secretLink(deps, '/auth/undo-email', { token }) : link(deps, '/help');
  const about = await toPerson(deps, person, url);
  if (!objectionUntil) return until && addressToChangeMail({ ...about, until });
  const isAdded = slot === 'second' && previousSecond === null;
  const happened = newAddress === null ? 'removed' : isAdded ? 'added' : 'changed';
  return addressChangedMail({ ...about, slot, happened, changedAt: takesEffectAt, until });
}

function tokenFor(
  deps: ContentDeps,
  { id: subjectId, userId }: AddressChange,
  link: { purpose: 'confirm' | 'undo'; expiresAt: Date },
) {
  return issueAddressLink(deps.db, deps, { subjectId, userId, ...link });
}

/** Null once the password has taken effect or was stopped, or if this address is not asked any more. */
export async function renderPasswordWaiting(
  deps: ContentDeps,
  { address }: Outgoing,
  person: EmailPerson,
): Promise<RenderedEmail | null> {
  const waiting = await findWaitingPassword(deps.db, person.id);
  const now = deps.clock.now();
  if (!waiting?.sentTo || waiting.takesEffectAt <= now) return null;
  const { id: subjectId, createdAt: setAt, takesEffectAt } = waiting;
  if (address === waiting.sentTo && (await asksForPasskey(deps.db, deps, person))) {
    const about = await toPerson(deps, person, link(deps, '/auth'));
    return passwordWaitingHereMail({ ...about, setAt, takesEffectAt });
  }
  // Meanwhile this address may have set a password itself, or have left the account.
  const asked = await findOthers(deps.db, person, waiting.sentTo, now);
  if (!asked.includes(address)) return null;
  const token = await issueAddressLink(deps.db, deps, {
    ...{ subjectId, userId: person.id, expiresAt: takesEffectAt },
    purpose: 'answer-password',
  });
  const url = secretLink(deps, '/auth/new-password', { token });
  return passwordWaitingMail({ ...(await toPerson(deps, person, url)), setAt, takesEffectAt });
}
