import { HOUR_MS } from '../../../shared/limits.ts';
import { signId } from '../../auth/link-signer.ts';
import { findDevice } from '../../auth/sessions.ts';
import { addressesOf } from '../../db/accounts/addresses.ts';
import { findInvitation } from '../../db/accounts/invitations.ts';
import { ENDED_PASSWORD, findPasswordHash } from '../../db/accounts/users.ts';
import { findDeletion, goneAt } from '../../db/capsules/bin.ts';
import { findIdentityById, hasIdentity } from '../../db/doors/identities.ts';
import { findDeletionOf } from '../../db/doors/ordered-deletions.ts';
import { findPasskey } from '../../db/doors/passkeys.ts';
import {
  type EmailPerson,
  findPersonAt,
  findPersonToReset,
} from '../../db/email-content/subjects.ts';
import { setEmailUser } from '../../db/emails/emails.ts';
import { EMAIL_KINDS, type EmailKind, type KindsWith } from '../../mail/kinds.ts';
import { accountDeletedMail } from '../../mail/templates/account-deleted.ts';
import { capsuleDeletedMail } from '../../mail/templates/capsule-deleted.ts';
import { deletionAnnouncedMail } from '../../mail/templates/deletion-announced.ts';
import { identityLinkedMail } from '../../mail/templates/identity-linked.ts';
import { invitationAgainMail, invitationMail } from '../../mail/templates/invitation.ts';
import type { RenderedEmail } from '../../mail/templates/layout.ts';
import { newDeviceMail } from '../../mail/templates/new-device.ts';
import { passkeyAddedMail } from '../../mail/templates/passkey-added.ts';
import { passkeyChoiceMail } from '../../mail/templates/passkey-choice.ts';
import { passwordChangedMail } from '../../mail/templates/password-changed.ts';
import { passwordGuessedMail } from '../../mail/templates/password-guessed.ts';
import { passwordResetMail } from '../../mail/templates/password-reset.ts';
import { verifyEmailMail, verifyInvitedMail } from '../../mail/templates/verify-email.ts';
import { contactOf } from '../accounts/contact.ts';
import { issueEmailVerification, issuePasswordReset } from '../accounts/link-tokens.ts';
import { asksForPasskey } from '../accounts/passkey-choice.ts';
import { undoableUntil } from '../doors/undo-passkey.ts';
import { mayWriteTo } from '../emails/mailbox-limits.ts';
import { renderAboutAddresses, renderPasswordWaiting } from './address-content.ts';
import {
  type Content,
  type ContentDeps,
  invitationToken,
  link,
  type Outgoing,
  secretLink,
  toPerson,
  urlsOf,
} from './links.ts';
import { prepareNews } from './notice-content.ts';
import { renderReport, renderReportAnswered, renderReportsTogether } from './report-content.ts';

/**
 * A reset link requested longer ago than this is not sent: nobody waits for it, and it would
 * alarm.
 */
const RESET_REQUEST_LIVES_MS = HOUR_MS;

type Rendered = Promise<RenderedEmail | null>;
type Render<Person> = (deps: ContentDeps, row: Outgoing, person: Person) => Rendered;

/** Of an email that names somebody. Null once they are gone. */
const ofPerson =
  (render: Render<EmailPerson>): Render<EmailPerson | undefined> =>
  async (deps, row, person) =>
    person ? render(deps, row, person) : null;

type UrgentKind = KindsWith<{ urgency: 0 }>;

/**
 * Renders each urgent kind from the data of the moment, and makes the token of its link. Null if there is
 * nobody or nothing to tell any more.
 */
const RENDERERS: Record<UrgentKind, Render<EmailPerson | undefined>> = {
  'verify-email': async (deps, row, person) =>
    renderVerification(deps, row, person ?? (await findPersonAt(deps.db, row.address))),
  'password-reset': renderReset,
  'password-changed': ofPerson(renderChanged),
  'password-guessed': ofPerson(renderGuessed),
  'new-device': ofPerson(renderNewDevice),
  'passkey-added': ofPerson(renderPasskeyAdded),
  'passkey-choice': ofPerson(renderPasskeyChoice),
  'identity-linked': ofPerson(renderIdentityLinked),
  'account-deleted': async (deps, { createdAt: deletedAt, aboutId }) =>
    accountDeletedMail({ deletedAt, isOrdered: aboutId !== null, url: link(deps, '/help') }),
  'deletion-announced': ofPerson(renderDeletionAnnounced),
  'capsule-deleted': ofPerson(renderDeleted),
  report: renderReport,
  'reports-together': renderReportsTogether,
  'report-answered': renderReportAnswered,
  invitation: ofPerson(renderInvitation),
  'confirm-address': ofPerson(renderAboutAddresses),
  'address-changed': ofPerson(renderAboutAddresses),
  'change-undone': ofPerson(renderAboutAddresses),
  'password-waiting': ofPerson(renderPasswordWaiting),
};

/**
 * Reads what these emails need that several of them may share, in a few statements for any number of
 * them. @param people those they are for, by their ids @returns renders one of them
 */
export async function prepareEmails(
  deps: ContentDeps,
  all: Outgoing[],
  people: Map<string, EmailPerson>,
): Promise<(email: Outgoing) => Promise<Content>> {
  const news = all.filter(({ kind }) => !isUrgent(kind));
  const renderNews = news.length > 0 ? await prepareNews(deps, news, people) : () => null;
  return async (email) => {
    const { kind } = email;
    if (!isUrgent(kind)) return renderNews(email);
    // Asked before a new token ends the ones before.
    if (!isToOperator(kind) && !(await mayWriteTo(deps, email))) return null;
    return RENDERERS[kind](deps, email, people.get(email.userId ?? ''));
  };
}

/** To the address of the configuration: whoever registers with it must not keep these from it. */
const isToOperator = (kind: EmailKind) => kind === 'report' || kind === 'reports-together';

const isUrgent = (kind: EmailKind): kind is UrgentKind => EMAIL_KINDS[kind].urgency === 0;

/** @param isForPassword they asked for a new password, which they get once the address is confirmed */
async function renderVerification(
  deps: ContentDeps,
  row: Outgoing,
  person: EmailPerson | null,
  { isForPassword = false } = {},
): Rendered {
  if (!person?.hasPassword || person.emailVerifiedAt || person.email !== row.address) return null;
  if (!row.userId) await setEmailUser(deps.db, row.id, person.id);
  const invitation = await invitationToken(deps, row, person);
  // Whoever registered may not be who was invited: this link asks for a new password.
  if (invitation !== undefined) return verifyInvitedMail(urlsOf(deps, { token: invitation }));
  const token = await issueEmailVerification(deps.db, deps, person);
  const url = secretLink(deps, '/auth/verify-email', { token });
  return verifyEmailMail({ name: person.name, url, isForPassword });
}

async function renderReset(deps: ContentDeps, row: Outgoing): Rendered {
  const age = deps.clock.now().getTime() - row.createdAt.getTime();
  if (age > RESET_REQUEST_LIVES_MS) return null;
  const person = await findPersonToReset(deps.db, row.address);
  if (!person) return renderInvitationAgain(deps, row);
  if (!deps.config.passwordSignIn) return null;
  const isMain = person.email === row.address;
  if (deps.config.emailVerification && isMain && !person.emailVerifiedAt) {
    return renderVerification(deps, row, person, { isForPassword: true });
  }
  await setEmailUser(deps.db, row.id, person.id);
  const token = await issuePasswordReset(deps.db, deps, {
    userId: person.id,
    requestedBy: row.requestedBy ?? '',
    sentTo: row.address,
  });
  return passwordResetMail({
    name: person.name,
    isAfterUndo: await hadPassword(deps, person),
    url: link(deps, '/auth/reset-password', { token }),
  });
}

/** Whether their password has ended: others who have none sign in by the identity provider. */
async function hadPassword(deps: ContentDeps, { id }: { id: string }): Promise<boolean> {
  if ((await findPasswordHash(deps.db, id)) !== ENDED_PASSWORD) return false;
  return !(await hasIdentity(deps.db, id));
}

/** Somebody who was invited and has no account looks for a way in: perhaps their link has expired. */
async function renderInvitationAgain(deps: ContentDeps, row: Outgoing): Rendered {
  const person = await findPersonAt(deps.db, row.address);
  const token = person && (await invitationToken(deps, row, person));
  if (!token) return null;
  await setEmailUser(deps.db, row.id, person.id);
  return invitationAgainMail(urlsOf(deps, { token }));
}

async function renderChanged(deps: ContentDeps, row: Outgoing, person: EmailPerson): Rendered {
  return passwordChangedMail({
    ...(await toPerson(deps, person, link(deps, '/auth/forgot-password'))),
    changedAt: row.createdAt,
    isTakenOff: !addressesOf(person).includes(row.address),
  });
}

async function renderGuessed(deps: ContentDeps, row: Outgoing, person: EmailPerson): Rendered {
  const about = await toPerson(deps, person, link(deps, '/auth/forgot-password'));
  return passwordGuessedMail({ ...about, guessedAt: row.createdAt });
}

/** A thief may have signed out again: it is told all the same, without the device. */
async function renderNewDevice(deps: ContentDeps, row: Outgoing, person: EmailPerson): Rendered {
  const about = row.aboutId && { userId: person.id, publicId: row.aboutId };
  const device = about && (await findDevice(deps.db, about));
  return newDeviceMail({
    ...(await toPerson(deps, person, link(deps, '/auth/forgot-password'))),
    device: device || null,
    signedInAt: row.createdAt,
    listUrl: link(deps, '/profile/sign-in'),
  });
}

/** Nothing is told once the passkey is gone. */
async function renderPasskeyAdded(deps: ContentDeps, row: Outgoing, owner: EmailPerson): Rendered {
  const passkey = row.aboutId && (await findPasskey(deps.db, row.aboutId));
  if (!passkey) return null;
  const token = await signId(deps, 'undo passkey', passkey.id);
  return passkeyAddedMail({
    ...(await toPerson(deps, owner, secretLink(deps, '/auth/undo-passkey', { token }))),
    device: passkey.name || null,
    addedAt: passkey.createdAt,
    until: undoableUntil(passkey),
    passwordUrl: link(deps, '/auth/forgot-password'),
  });
}

/** Nothing is told once it is unlinked, or the site has no provider any more. */
async function renderIdentityLinked(
  deps: ContentDeps,
  row: Outgoing,
  owner: EmailPerson,
): Rendered {
  const provider = deps.config.identityProvider;
  const identity = row.aboutId && (await findIdentityById(deps.db, row.aboutId));
  if (!provider || !identity) return null;
  const token = await signId(deps, 'undo identity', identity.id);
  return identityLinkedMail({
    ...(await toPerson(deps, owner, secretLink(deps, '/auth/undo-identity', { token }))),
    provider: provider.name,
    linkedAt: identity.createdAt,
    until: undoableUntil(identity),
    listUrl: link(deps, '/profile/sign-in'),
  });
}

/** Says how it stands as the email is sent. */
async function renderPasskeyChoice(deps: ContentDeps, row: Outgoing, owner: EmailPerson): Rendered {
  return passkeyChoiceMail({
    ...(await toPerson(deps, owner, link(deps, '/auth/forgot-password'))),
    isOn: await asksForPasskey(deps.db, deps, owner),
    changedAt: row.createdAt,
  });
}

/** Nothing is told once the operator has withdrawn it. */
async function renderDeletionAnnounced(
  deps: ContentDeps,
  _row: Outgoing,
  person: EmailPerson,
): Rendered {
  const order = await findDeletionOf(deps.db, person.id);
  if (!order) return null;
  const canSignIn = person.suspendedAt === null;
  return deletionAnnouncedMail({
    ...(await toPerson(deps, person, link(deps, canSignIn ? '/profile/safety' : '/help'))),
    dueAt: order.dueAt,
    isDelivered: order.capsules === 'deliver',
    canSignIn,
    contact: contactOf(deps),
  });
}

/** Nothing is told once the capsule is back, or gone for good with the password. */
async function renderDeleted(deps: ContentDeps, row: Outgoing, owner: EmailPerson): Rendered {
  if (!row.aboutId) return null;
  const deletion = await findDeletion(deps.db, { id: row.aboutId, now: deps.clock.now() });
  if (!deletion) return null;
  const { title, deletedAt, timeZone } = deletion;
  const token = await signId(deps, 'restore', row.aboutId);
  const about = await toPerson(deps, owner, secretLink(deps, '/auth/restore-capsule', { token }));
  return capsuleDeletedMail({
    ...about,
    zone: about.zone ?? timeZone,
    title,
    deletedAt,
    until: goneAt(deletedAt),
    passwordUrl: link(deps, '/auth/forgot-password'),
  });
}

/** Nothing is told once they have made their account. */
async function renderInvitation(deps: ContentDeps, row: Outgoing, person: EmailPerson): Rendered {
  const invitation = row.aboutId && (await findInvitation(deps.db, row.aboutId));
  const token = invitation && (await invitationToken(deps, row, person));
  if (!token) return null;
  const { name, inviterName } = invitation;
  return invitationMail({ name, inviterName, ...urlsOf(deps, { token }) });
}
