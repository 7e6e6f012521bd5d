import { ENDED_PASSWORD } from '../../auth/passwords.ts';
import { findDevice } from '../../auth/sessions.ts';
import { addressesOf } from '../../db/accounts/addresses.ts';
import { findInvitation } from '../../db/accounts/invitations.ts';
import { findPasswordHash } from '../../db/accounts/users.ts';
import { findDeletion } from '../../db/capsules/bin.ts';
import { findPasskey } from '../../db/doors/passkeys.ts';
import {
  type Addressee,
  findAddressee,
  findResetAddressee,
  findTimeZone,
} from '../../db/email-content/mail-subjects.ts';
import { setEmailUser } from '../../db/emails/emails.ts';
import { EMAIL_KINDS, type KindsWith, type MailKind } from '../../mail/kinds.ts';
import { accountDeletedMail } from '../../mail/templates/account-deleted.ts';
import { capsuleDeletedMail } from '../../mail/templates/capsule-deleted.ts';
import { invitationAgainMail, invitationMail } from '../../mail/templates/invitation.ts';
import type { RenderedMail } from '../../mail/templates/letter.ts';
import { newDeviceMail } from '../../mail/templates/new-device.ts';
import { passkeyAddedMail } from '../../mail/templates/passkey-added.ts';
import { passwordChangedMail } from '../../mail/templates/password-changed.ts';
import { passwordGuessedMail } from '../../mail/templates/password-guessed.ts';
import { passwordResetMail } from '../../mail/templates/password-reset.ts';
import { verifyEmailMail, verifyInvitedMail } from '../../mail/templates/verify-email.ts';
import { issueEmailVerification, issuePasswordReset } from '../accounts/link-tokens.ts';
import { goneAt, restoreToken } from '../capsules/bin.ts';
import { undoableUntil, undoPasskeyToken } from '../doors/undo-passkey.ts';
import { mayWriteTo } from '../emails/mailbox-limits.ts';
import { renderAboutAddresses } from './address-content.ts';
import { renderDeletionAnnounced } from './deletion-content.ts';
import {
  type Content,
  type ContentDeps,
  link,
  linksFor,
  type Outgoing,
  readerOf,
  secretLink,
} from './mail-readers.ts';
import { prepareNews } from './notice-content.ts';
import { renderReport, renderReportAnswered } from './report-content.ts';

/**
 * A reset link requested longer ago than this is not sent: nobody waits for it, and it would
 * alarm.
 */
const RESET_REQUEST_LIVES_MS = 3_600_000;

type Render = (deps: ContentDeps, row: Outgoing) => Promise<RenderedMail | null>;

type UrgentKind = KindsWith<{ urgency: 0 }>;

/**
 * Renders each urgent kind from the data of the moment, and makes the token of its link. Null if there is
 * nobody or nothing to tell any more.
 */
const RENDERERS: Record<UrgentKind, Render> = {
  'verify-email': renderVerification,
  'password-reset': renderReset,
  'password-changed': renderChanged,
  'password-guessed': renderGuessed,
  'new-device': renderNewDevice,
  'passkey-added': renderPasskeyAdded,
  'account-deleted': async (deps, { createdAt: deletedAt }) =>
    accountDeletedMail({ deletedAt, url: link(deps, '/help') }),
  'deletion-announced': renderDeletionAnnounced,
  'capsule-deleted': renderDeleted,
  report: renderReport,
  'report-answered': renderReportAnswered,
  invitation: renderInvitation,
  'confirm-address': renderAboutAddresses,
  'address-changed': renderAboutAddresses,
  'change-undone': renderAboutAddresses,
  'password-waiting': renderAboutAddresses,
};

/**
 * Reads what these emails need that several of them may share, in a few statements for any number of
 * them. @param people those they are for, by their ids @returns renders one of them; null as above. @throws TooEarlyError if a wrong clock queued it
 * too early
 */
export async function prepareEmails(
  deps: ContentDeps,
  all: Outgoing[],
  people: Map<string, Addressee>,
): Promise<(email: Outgoing) => Promise<Content>> {
  const news = all.filter(({ kind }) => !isUrgent(kind));
  const renderNews = news.length > 0 ? await prepareNews(deps, news, people) : () => null;
  return async (email) => {
    const { kind } = email;
    if (!isUrgent(kind)) return renderNews(email);
    // Asked before a new token ends the ones before.
    if (!(await mayWriteTo(deps, email))) return null;
    return RENDERERS[kind](deps, email);
  };
}

const isUrgent = (kind: MailKind): kind is UrgentKind => EMAIL_KINDS[kind].urgency === 0;

/** @param isForPassword they asked for a new password, which they get once the address is confirmed */
async function renderVerification(
  deps: ContentDeps,
  row: Outgoing,
  { isForPassword = false } = {},
): Promise<RenderedMail | null> {
  const by = row.userId ? { id: row.userId } : { email: row.toAddress };
  const person = await findAddressee(deps.db, by);
  if (!person?.hasAccount || person.emailVerifiedAt || person.email !== row.toAddress) return null;
  if (!row.userId) await setEmailUser(deps.db, row.id, person.id);
  const reader = await readerOf(deps, row, person);
  // Whoever registered may not be who was invited: this link asks for a new password.
  if (reader?.token !== undefined) {
    return verifyInvitedMail(linksFor(deps, reader, {}));
  }
  const token = await issueEmailVerification(deps.db, deps, person);
  const url = secretLink(deps, '/auth/verify-email', { token });
  return verifyEmailMail({ name: person.name, url, isForPassword });
}

async function renderReset(deps: ContentDeps, row: Outgoing) {
  const age = deps.clock.now().getTime() - row.createdAt.getTime();
  if (age > RESET_REQUEST_LIVES_MS) return null;
  const person = await findResetAddressee(deps.db, row.toAddress);
  if (!person) return renderInvitationAgain(deps, row);
  const isMain = person.email === row.toAddress;
  if (deps.config.emailVerification && isMain && !person.emailVerifiedAt) {
    return renderVerification(deps, row, { isForPassword: true });
  }
  await setEmailUser(deps.db, row.id, person.id);
  const token = await issuePasswordReset(deps.db, deps, {
    userId: person.id,
    requestedBy: row.requestedBy ?? '',
    sentTo: row.toAddress,
  });
  return passwordResetMail({
    name: person.name,
    isAfterUndo: (await findPasswordHash(deps.db, person.id)) === ENDED_PASSWORD,
    url: link(deps, '/auth/reset-password', { token }),
  });
}

/** Somebody who was invited and has no account looks for a way in: perhaps their link has expired. */
async function renderInvitationAgain(deps: ContentDeps, row: Outgoing) {
  const person = await findAddressee(deps.db, { email: row.toAddress });
  if (!person) return null;
  const reader = await readerOf(deps, row, person);
  if (reader?.token === undefined) return null;
  await setEmailUser(deps.db, row.id, person.id);
  return invitationAgainMail(linksFor(deps, reader, {}));
}

async function renderChanged(deps: ContentDeps, row: Outgoing) {
  const person = row.userId && (await findAddressee(deps.db, { id: row.userId }));
  if (!person) return null;
  return passwordChangedMail({
    name: person.name,
    changedAt: row.createdAt,
    zone: await findTimeZone(deps.db, person.id),
    url: link(deps, '/auth/forgot-password'),
    isTakenOff: !addressesOf(person).includes(row.toAddress),
  });
}

async function renderGuessed(deps: ContentDeps, row: Outgoing) {
  const person = row.userId && (await findAddressee(deps.db, { id: row.userId }));
  if (!person) return null;
  const zone = await findTimeZone(deps.db, person.id);
  const url = link(deps, '/auth/forgot-password');
  return passwordGuessedMail({ name: person.name, guessedAt: row.createdAt, zone, url });
}

/** A thief may have signed out again: it is told all the same, without the device. */
async function renderNewDevice(deps: ContentDeps, row: Outgoing) {
  const person = row.userId && (await findAddressee(deps.db, { id: row.userId }));
  if (!person) return null;
  return newDeviceMail({
    name: person.name,
    device: (row.aboutId && (await findDevice(deps.db, row.aboutId))) || null,
    signedInAt: row.createdAt,
    zone: await findTimeZone(deps.db, person.id),
    url: link(deps, '/auth/forgot-password'),
    listUrl: link(deps, '/profile/sign-in'),
  });
}

/** Nothing is told once the passkey is gone. */
async function renderPasskeyAdded(deps: ContentDeps, row: Outgoing) {
  const passkey = row.aboutId && (await findPasskey(deps.db, row.aboutId));
  const owner = passkey && (await findAddressee(deps.db, { id: passkey.userId }));
  if (!passkey || !owner) return null;
  return passkeyAddedMail({
    name: owner.name,
    device: passkey.name || null,
    addedAt: passkey.createdAt,
    until: undoableUntil(passkey),
    zone: await findTimeZone(deps.db, owner.id),
    url: secretLink(deps, '/auth/undo-passkey', {
      token: await undoPasskeyToken(deps, passkey.id),
    }),
    passwordUrl: link(deps, '/auth/forgot-password'),
  });
}

/** Nothing is told once the capsule is back, or gone for good with the password. */
async function renderDeleted(deps: ContentDeps, row: Outgoing) {
  const deletion = row.aboutId && (await findDeletion(deps.db, row.aboutId));
  const owner = deletion && (await findAddressee(deps.db, { id: deletion.ownerId }));
  if (!deletion || !owner) return null;
  const { title, deletedAt, timeZone } = deletion;
  return capsuleDeletedMail({
    name: owner.name,
    title,
    deletedAt,
    until: goneAt(deletedAt),
    zone: (await findTimeZone(deps.db, owner.id)) ?? timeZone,
    url: secretLink(deps, '/auth/restore-capsule', {
      token: await restoreToken(deps, row.aboutId ?? ''),
    }),
    passwordUrl: link(deps, '/auth/forgot-password'),
  });
}

async function renderInvitation(deps: ContentDeps, row: Outgoing) {
  const invitation = row.aboutId && (await findInvitation(deps.db, row.aboutId));
  const person = row.userId && (await findAddressee(deps.db, { id: row.userId }));
  const reader = person && (await readerOf(deps, row, person));
  // Without a token, they have made their account meanwhile.
  if (!invitation || !reader || reader.token === undefined) return null;
  const { name, inviterName } = invitation;
  return invitationMail({ name, inviterName, ...linksFor(deps, reader, {}) });
}
