import {
  type AddressChange,
  findAddressChange,
  findWaitingPassword,
} from '../../db/accounts/account-changes.ts';
import { findAccount } from '../../db/accounts/users.ts';
import { findAddressee, findTimeZone } from '../../db/email-content/mail-subjects.ts';
import {
  addressChangedMail,
  addressToChangeMail,
  changeUndoneMail,
  confirmAddressMail,
  passwordWaitingMail,
} from '../../mail/templates/addresses.ts';
import type { RenderedMail } from '../../mail/templates/letter.ts';
import { issueAddressLink } from '../accounts/link-tokens.ts';
import { findOthers } from '../accounts/new-password.ts';
import { type ContentDeps, link, type Outgoing, secretLink } from './mail-readers.ts';

/**
 * Renders an email about addresses or a new password, and makes the token of its link. Null if
 * there is nothing to tell any more.
 */
export async function renderAboutAddresses(
  deps: ContentDeps,
  row: Outgoing,
): Promise<RenderedMail | null> {
  if (row.kind === 'password-waiting') return renderPasswordWaiting(deps, row);
  const person = row.userId && (await findAddressee(deps.db, { id: row.userId }));
  if (!person) return null;
  const { name } = person;
  const zone = await findTimeZone(deps.db, person.id);
  if (row.kind === 'change-undone') {
    const asked = await findOthers(deps.db, person, person.email, deps.clock.now());
    return changeUndoneMail({
      name,
      zone,
      undoneAt: row.createdAt,
      isAsked: asked.includes(row.toAddress),
      url: link(deps, '/help'),
    });
  }
  const change = row.aboutId && (await findAddressChange(deps.db, row.aboutId));
  if (!change || change.undoneAt) return null;
  const render = row.kind === 'confirm-address' ? renderConfirm : renderChanged;
  return render(deps, { change, name, zone });
}

interface About {
  change: AddressChange;
  name: string;
  zone: string | null;
}

async function renderConfirm(deps: ContentDeps, { change, name, zone }: About) {
  const { slot, takesEffectAt, confirmUntil, confirmedAt } = change;
  const now = deps.clock.now();
  if (!confirmUntil || confirmedAt || confirmUntil <= now) return null;
  const token = await tokenFor(deps, change, { purpose: 'confirm', expiresAt: confirmUntil });
  const url = secretLink(deps, '/auth/confirm-email', { token });
  const waitsUntil = takesEffectAt > now ? takesEffectAt : null;
  return confirmAddressMail({ name, zone, slot, url, waitsUntil });
}

async function renderChanged(deps: ContentDeps, { change, name, zone }: About) {
  const { slot, newAddress, previousSecond, takesEffectAt, objectionUntil } = change;
  // One that has taken effect is told even where it is too late to undo it. Only an operator's is
  // told before.
  const expiresAt = objectionUntil ?? takesEffectAt;
  const until = expiresAt > deps.clock.now() ? expiresAt : null;
  const url = until
    ? secretLink(deps, '/auth/undo-email', {
        token: await tokenFor(deps, change, { purpose: 'undo', expiresAt }),
      })
    : link(deps, '/help');
  if (!objectionUntil) return until && addressToChangeMail({ name, zone, url, until });
  const isAdded = slot === 'second' && previousSecond === null;
  const happened = newAddress === null ? 'removed' : isAdded ? 'added' : 'changed';
  return addressChangedMail({ name, zone, url, slot, happened, changedAt: takesEffectAt, until });
}

function tokenFor(
  deps: ContentDeps,
  { id: subjectId, userId }: AddressChange,
  link: { purpose: 'confirm' | 'undo'; expiresAt: Date },
) {
  return issueAddressLink(deps.db, deps, { subjectId, userId, ...link });
}

async function renderPasswordWaiting(deps: ContentDeps, { userId, toAddress }: Outgoing) {
  const person = userId ? await findAccount(deps.db, userId) : undefined;
  if (!person) return null;
  const waiting = await findWaitingPassword(deps.db, person.id);
  const now = deps.clock.now();
  if (!waiting?.sentTo || waiting.takesEffectAt <= now) return null;
  // Meanwhile this address may have set a password itself, or have left the account.
  const asked = await findOthers(deps.db, person, waiting.sentTo, now);
  if (!asked.includes(toAddress)) return null;
  const { id: subjectId, createdAt: setAt, takesEffectAt } = waiting;
  const token = await issueAddressLink(deps.db, deps, {
    ...{ subjectId, userId: person.id, expiresAt: takesEffectAt },
    purpose: 'answer-password',
  });
  const url = secretLink(deps, '/auth/new-password', { token });
  const zone = await findTimeZone(deps.db, person.id);
  return passwordWaitingMail({ name: person.name, zone, url, setAt, takesEffectAt });
}
