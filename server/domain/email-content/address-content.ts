import { type AddressChange, findChange } from '../../db/accounts/addresses.ts';
import { findPendingPassword } from '../../db/accounts/pending-passwords.ts';
import { lockUser } from '../../db/accounts/users.ts';
import { findAddressee, findTimeZone } from '../../db/email-content/mail-subjects.ts';
import type { MailRow } from '../../db/emails/mails.ts';
import {
  addressChangedMail,
  addressToChangeMail,
  changeUndoneMail,
  confirmAddressMail,
  passwordWaitingMail,
} from '../../mail/templates/addresses.ts';
import type { RenderedMail } from '../../mail/templates/letter.ts';
import { confirmableFrom } from '../accounts/address-changes.ts';
import { issueAddressLink } from '../accounts/link-tokens.ts';
import { findOthers } from '../accounts/new-password.ts';
import { TooEarlyError } from '../emails/too-early-error.ts';
import { type ContentDeps, link, secretLink } from './mail-readers.ts';

/**
 * Renders an email about addresses or a new password, and makes the token of its link. Null if
 * there is nothing to tell any more. @throws TooEarlyError while an operator's change waits for an
 * objection
 */
export async function renderAboutAddresses(
  deps: ContentDeps,
  row: MailRow,
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
  const change = row.changeId && (await findChange(deps.db, row.changeId));
  if (!change || change.undoneAt) return null;
  const isOver = change.expiresAt <= deps.clock.now();
  // A change that has taken effect is told even where it is too late to undo it.
  if (isOver && !(change.confirmedAt && row.kind === 'address-changed')) return null;
  const render = row.kind === 'confirm-address' ? renderConfirm : renderChanged;
  return render(deps, { change, name, zone });
}

interface About {
  change: AddressChange;
  name: string;
  zone: string | null;
}

async function renderConfirm(deps: ContentDeps, { change, name }: About) {
  if (change.confirmedAt) return null;
  const from = confirmableFrom(change);
  if (from > deps.clock.now()) throw new TooEarlyError(from);
  const url = secretLink(deps, '/auth/confirm-email', {
    token: await tokenFor(deps, change, 'confirm'),
  });
  return confirmAddressMail({ name, slot: change.slot, url });
}

async function renderChanged(deps: ContentDeps, { change, name, zone }: About) {
  const { slot, newAddress, previousSecond, confirmedAt: changedAt, expiresAt } = change;
  const until = expiresAt > deps.clock.now() ? expiresAt : null;
  const url = until
    ? secretLink(deps, '/auth/undo-email', { token: await tokenFor(deps, change, 'undo') })
    : link(deps, '/help');
  // Only operators' changes are told about before they are confirmed.
  if (!changedAt) return addressToChangeMail({ name, zone, url, until: confirmableFrom(change) });
  const isAdded = slot === 'second' && previousSecond === null;
  const happened = newAddress === null ? 'removed' : isAdded ? 'added' : 'changed';
  return addressChangedMail({ name, zone, url, slot, happened, changedAt, until });
}

function tokenFor(deps: ContentDeps, change: AddressChange, purpose: 'confirm' | 'undo') {
  const { id: subjectId, userId, expiresAt } = change;
  return issueAddressLink(deps.db, deps, { subjectId, userId, expiresAt, purpose });
}

function renderPasswordWaiting(deps: ContentDeps, { userId, toAddress }: MailRow) {
  return deps.db.transaction(async (tx) => {
    // Locked, so that no other password replaces this one before there is a link about it.
    const person = userId && (await lockUser(tx, userId));
    const pending = person && (await findPendingPassword(tx, person.id));
    if (!pending) return null;
    const { createdAt: setAt, takesEffectAt } = pending;
    const now = deps.clock.now();
    if (takesEffectAt <= now) return null;
    // Meanwhile this address may have set a password itself, or have left the account.
    const asked = await findOthers(tx, person, pending.sentTo, now);
    if (!asked.includes(toAddress)) return null;
    const about = { userId: person.id, expiresAt: takesEffectAt };
    const token = await issueAddressLink(tx, deps, { ...about, purpose: 'answer-password' });
    const url = secretLink(deps, '/auth/new-password', { token });
    const zone = await findTimeZone(tx, person.id);
    return passwordWaitingMail({ name: person.name, zone, url, setAt, takesEffectAt });
  });
}
