import { dayAt } from '../../../shared/day.ts';
import { HOUR_MS } from '../../../shared/limits.ts';
import { findAddressChange } from '../../db/accounts/account-changes.ts';
import { findInvitation } from '../../db/accounts/invitations.ts';
import { ENDED_PASSWORD, findPasswordHash } from '../../db/accounts/users.ts';
import { hasIdentity } from '../../db/doors/identities.ts';
import {
  type EmailPerson,
  findPersonAt,
  findPersonToReset,
} from '../../db/email-content/subjects.ts';
import { setEmailUser } from '../../db/emails/emails.ts';
import { EMAIL_KINDS, type EmailKind, type KindsWith } from '../../mail/kinds.ts';
import { confirmAddressMail } from '../../mail/templates/confirm-address.ts';
import { invitationAgainMail, invitationMail } from '../../mail/templates/invitation.ts';
import type { RenderedEmail } from '../../mail/templates/layout.ts';
import { passwordResetMail } from '../../mail/templates/password-reset.ts';
import { shortDay } from '../../mail/templates/plain.ts';
import { accountDeleted, securityMail } from '../../mail/templates/security.ts';
import { verifyEmailMail, verifyInvitedMail } from '../../mail/templates/verify-email.ts';
import { askedOf } from '../accounts/address-words.ts';
import { whomToWrite } from '../accounts/contact.ts';
import {
  issueAddressLink,
  issueEmailVerification,
  issuePasswordReset,
} from '../accounts/link-tokens.ts';
import { mayWriteTo } from '../emails/mailbox-limits.ts';
import {
  type Content,
  type ContentDeps,
  invitationLinks,
  link,
  type Outgoing,
  secretLink,
  toPerson,
} from './links.ts';
import { prepareNews } from './notice-content.ts';
import { renderReport, renderReportAnswered, renderReportsTogether } from './report-content.ts';
import { isAboutSecurity, renderSecurity, type SecurityKind } from './security-content.ts';

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
const RENDERERS: Record<Exclude<UrgentKind, SecurityKind>, Render<EmailPerson | undefined>> = {
  'verify-email': async (deps, row, person) =>
    renderVerification(deps, row, person ?? (await findPersonAt(deps.db, row.address))),
  'password-reset': renderReset,
  'account-deleted': async (deps, { createdAt, aboutId }) => {
    const on = shortDay(dayAt(createdAt, 'UTC'));
    const words = accountDeleted(on, aboutId !== null, whomToWrite(deps));
    return securityMail(null, words, { url: link(deps, '/help') });
  },
  report: renderReport,
  'reports-together': renderReportsTogether,
  'report-answered': renderReportAnswered,
  invitation: ofPerson(renderInvitation),
  'confirm-address': ofPerson(renderConfirm),
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
    const person = people.get(email.userId ?? '');
    if (isAboutSecurity(kind)) return renderSecurity(deps, email, person);
    return RENDERERS[kind](deps, email, person);
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
  const links = await invitationLinks(deps, row, person);
  if (isForPassword && links?.whomToAsk) return invitationAgainMail(links, 'password');
  // Whoever registered may not be who was invited: this link asks for a new password.
  if (links) return verifyInvitedMail(links);
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
    isAskedFor: row.aboutId === null,
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
  const links = person && (await invitationLinks(deps, row, person));
  if (!links) return null;
  await setEmailUser(deps.db, row.id, person.id);
  return invitationAgainMail(links, 'password');
}

/** By somebody, or by an operator, where it is about nothing. Nothing is told once they have an account. */
async function renderInvitation(deps: ContentDeps, row: Outgoing, person: EmailPerson): Rendered {
  const invitation = row.aboutId && (await findInvitation(deps.db, row.aboutId));
  if (row.aboutId && !invitation) return null;
  const links = await invitationLinks(deps, row, person);
  if (!links) return null;
  if (!invitation) return invitationAgainMail(links, 'operator');
  const { name, inviterName, dateToUnlock } = invitation;
  return invitationMail({ name, inviterName, dateToUnlock, ...links });
}

/** Nothing is asked once the link has ended, or was used. */
async function renderConfirm(deps: ContentDeps, row: Outgoing, person: EmailPerson): Rendered {
  const change = row.aboutId && (await findAddressChange(deps.db, row.aboutId));
  if (!change) return null;
  const { id: subjectId, userId, takesEffectAt, confirmUntil, confirmedAt } = change;
  const now = deps.clock.now();
  if (change.undoneAt || !confirmUntil || confirmedAt || confirmUntil <= now) return null;
  const confirming = { subjectId, userId, purpose: 'confirm', expiresAt: confirmUntil } as const;
  const token = await issueAddressLink(deps.db, deps, confirming);
  return confirmAddressMail({
    ...(await toPerson(deps, person, secretLink(deps, '/auth/confirm-email', { token }))),
    asked: askedOf(change, person.email),
    isMain: change.newAddress === person.email,
    waitsUntil: takesEffectAt > now ? takesEffectAt : null,
  });
}
