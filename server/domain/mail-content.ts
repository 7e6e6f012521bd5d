import { getCalendarEvent } from '../../shared/api/capsules.ts';
import { TURN_OFF_PATH, type TurnOffKind } from '../../shared/api/notices.ts';
import { DAY_MS, REMINDER_AFTER_DAYS } from '../../shared/limits.ts';
import { addressesOf } from '../db/addresses.ts';
import { findInvitation } from '../db/invitations.ts';
import {
  findAddressee,
  findNoticeCapsules,
  findResetAddressee,
  findStandings,
  findUnread,
  listRecipientNames,
  type NoticeCapsule,
  type Standing,
} from '../db/mail-subjects.ts';
import { type MailKind, type MailRow, setMailUser } from '../db/mails.ts';
import { TURN_OFF_KINDS } from '../db/notice-choices.ts';
import type { Deps } from '../deps.ts';
import type { Mail } from '../mail/mailer.ts';
import { capsuleOpenedMail } from '../mail/templates/capsule-opened.ts';
import { capsuleReminderMail } from '../mail/templates/capsule-reminder.ts';
import { capsuleWaitingMail } from '../mail/templates/capsule-waiting.ts';
import { invitationMail } from '../mail/templates/invitation.ts';
import type { RenderedMail } from '../mail/templates/letter.ts';
import { passwordChangedMail } from '../mail/templates/password-changed.ts';
import { passwordResetMail } from '../mail/templates/password-reset.ts';
import { type SeveralCapsules, severalCapsulesMail } from '../mail/templates/several-capsules.ts';
import { verifyEmailMail, verifyInvitedMail } from '../mail/templates/verify-email.ts';
import { renderAboutAddresses } from './address-content.ts';
import { isOpen } from './capsule-view.ts';
import { issueEmailVerification, issueInvitationLinks, issuePasswordReset } from './link-tokens.ts';
import { mailIdOf } from './mail-address.ts';
import { noticeLinkTokens } from './notice-choices.ts';
import { TooEarlyError } from './too-early-error.ts';
import { isYearly, prepareYearly } from './yearly-content.ts';

/**
 * A reset link requested longer ago than this is not sent: nobody waits for it, and it would
 * alarm.
 */
const RESET_REQUEST_LIVES_MS = 3_600_000;

const REMINDER_AFTER_MS = REMINDER_AFTER_DAYS * DAY_MS;

type ContentDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids'>;

/**
 * Renders the email of a row from current data, and makes the token of its link. Null if there is
 * nobody or nothing to tell any more. @throws TooEarlyError if a wrong clock queued the email too
 * early
 */
export async function renderMail(deps: ContentDeps, row: MailRow): Promise<Mail | null> {
  switch (row.kind) {
    case 'verify-email':
      return addressed(row, await renderVerification(deps, row), { textVaries: true });
    case 'password-reset':
      return addressed(row, await renderReset(deps, row), { textVaries: true });
    case 'password-changed':
      return addressed(row, await renderChanged(deps, row), { textVaries: false });
    case 'invitation':
      // Links of earlier attempts keep working, so that the provider may repeat one of their texts.
      return addressed(row, await renderInvitation(deps, row), { textVaries: false });
    case 'confirm-address':
    case 'address-changed':
    case 'change-undone':
    case 'password-waiting': {
      const rendered = await renderAboutAddresses(deps, row, (path, query) =>
        link(deps, path, query),
      );
      return addressed(row, rendered, { textVaries: row.kind !== 'change-undone' });
    }
    case 'keepsake':
    case 'still-sealed':
    case 'address-check':
    case 'capsule-waiting':
    case 'capsule-opened':
    case 'capsule-reminder':
      return (await prepareNotices(deps, [row]))(row);
  }
}

/**
 * One email of the first row for all of these, which are notices of one kind to one person. Null
 * and errors as with `renderMail`.
 */
export async function renderTogether(
  deps: ContentDeps,
  rows: [MailRow, ...MailRow[]],
): Promise<Mail | null> {
  const [first] = rows;
  const reader = (await readersOf(deps, [first])).get(first.id);
  if (!reader) return null;
  const isUntold = await untold(deps, rows);
  const ids = rows.filter(isUntold).flatMap(({ capsuleId }) => capsuleId ?? []);
  const all = await findNoticeCapsules(deps.db, ids);
  const now = deps.clock.now();
  const isWaiting = first.kind === 'capsule-waiting';
  const told = isWaiting ? all.filter((capsule) => !isOpen(capsule, now)) : all;
  if (told.length === 0) return null;
  const early = told.map((capsule) => earliest(first, capsule)).filter((at) => at > now);
  if (!isWaiting && early[0]) throw new TooEarlyError(early[0]);
  const rendered = severalCapsulesMail({
    state: STATES[first.kind] ?? 'opened',
    capsules: told.map(({ title, creatorId, creatorName, dateToUnlock }) => ({
      title,
      from: creatorId === first.userId ? 'you' : creatorName,
      dateToUnlock,
    })),
    ...linksFor(deps, reader, {}),
  });
  return addressed(first, rendered, { textVaries: true });
}

const STATES: Partial<Record<MailKind, SeveralCapsules['state']>> = {
  'capsule-waiting': 'waiting',
  'capsule-reminder': 'unread',
};

/** When a notice of an opening may go at the earliest. */
function earliest({ kind }: MailRow, { unlockAt, openedNoticeAt }: NoticeCapsule): Date {
  if (kind !== 'capsule-reminder') return unlockAt;
  return new Date(Math.max(unlockAt.getTime(), openedNoticeAt?.getTime() ?? 0) + REMINDER_AFTER_MS);
}

/** Which of these rows still have something to tell: reminders only to who has not looked. */
async function untold(deps: ContentDeps, rows: MailRow[]): Promise<(row: MailRow) => boolean> {
  const reminders = rows.filter(({ kind }) => kind === 'capsule-reminder');
  const unread = await findUnread(deps.db, {
    capsuleIds: reminders.flatMap(({ capsuleId }) => capsuleId ?? []),
    userIds: reminders.flatMap(({ userId }) => userId ?? []),
  });
  const names = new Set(unread.map(({ capsuleId, userId }) => `${capsuleId} ${userId}`));
  return ({ kind, capsuleId, userId }) =>
    kind !== 'capsule-reminder' || names.has(`${capsuleId} ${userId}`);
}

function addressed(
  row: MailRow,
  rendered: RenderedMail | null,
  { textVaries }: { textVaries: boolean },
): Mail | null {
  if (!rendered) return null;
  const { kind, createdAt: queuedAt, toAddress: to } = row;
  const id = mailIdOf(row);
  const idempotencyKey = textVaries ? `${id}-${row.attempts}` : id;
  return { id, kind, queuedAt, idempotencyKey, textVaries, to, ...rendered };
}

async function renderVerification(deps: ContentDeps, row: MailRow) {
  const by = row.userId ? { id: row.userId } : { email: row.toAddress };
  const person = await findAddressee(deps.db, by);
  if (!person?.hasAccount || person.emailVerifiedAt || person.email !== row.toAddress) return null;
  if (!row.userId) await setMailUser(deps.db, row.id, person.id);
  const reader = (await readersOf(deps, [{ ...row, userId: person.id }])).get(row.id);
  // Whoever registered may not be who was invited: this link asks for a new password.
  if (reader?.token !== undefined) {
    return verifyInvitedMail({ name: person.name, ...linksFor(deps, reader, {}) });
  }
  const token = await issueEmailVerification(deps.db, deps, person.id);
  return verifyEmailMail({ name: person.name, url: link(deps, '/auth/verify-email', { token }) });
}

async function renderReset(deps: ContentDeps, row: MailRow) {
  const age = deps.clock.now().getTime() - row.createdAt.getTime();
  if (age > RESET_REQUEST_LIVES_MS) return null;
  const person = await findResetAddressee(deps.db, row.toAddress);
  if (!person) return null;
  await setMailUser(deps.db, row.id, person.id);
  const token = await issuePasswordReset(deps.db, deps, {
    userId: person.id,
    requestedBy: row.requestedBy ?? '',
    sentTo: row.toAddress,
  });
  return passwordResetMail({
    name: person.name,
    url: link(deps, '/auth/reset-password', { token }),
  });
}

async function renderChanged(deps: ContentDeps, row: MailRow) {
  const person = row.userId && (await findAddressee(deps.db, { id: row.userId }));
  if (!person) return null;
  return passwordChangedMail({
    name: person.name,
    changedAt: row.createdAt,
    url: link(deps, '/auth/forgot-password'),
    isTakenOff: !addressesOf(person).includes(row.toAddress),
  });
}

async function renderInvitation(deps: ContentDeps, row: MailRow) {
  const invitation = await findInvitation(deps.db, row.id);
  const reader = (await readersOf(deps, [row])).get(row.id);
  // Without a token, they have made their account meanwhile.
  if (!invitation || reader?.token === undefined) return null;
  const { name, inviterName } = invitation;
  return invitationMail({ name, inviterName, ...linksFor(deps, reader, {}) });
}

/** Who is told: somebody with an account, or an invited person with the token of a new link. */
interface Reader {
  token?: string;
  /** Where they turn such notices off; for somebody with an account. */
  turnOffUrl?: string;
}

/** What an invited person gets. The last one goes to an address that has been registered, too. */
const INVITED_KINDS: MailKind[] = ['invitation', 'capsule-opened', 'verify-email'];

/**
 * The readers of these emails, by the email's id. An invited person is told what has opened, and
 * that they are invited. Who is neither gets nothing: somebody may have registered with the address
 * of a stranger, who then gets the verification email only. Nor does who has turned such notices
 * off.
 */
async function readersOf(deps: ContentDeps, rows: MailRow[]): Promise<Map<string, Reader>> {
  const standings = await findStandings(
    deps.db,
    rows.flatMap(({ userId }) => userId ?? []),
    { isVerified: deps.config.emailVerification },
  );
  const standingOf = ({ userId }: MailRow) => standings.get(userId ?? '');
  const readers = new Map<string, Reader>();
  const tokenFor = await noticeLinkTokens(deps);
  for (const { id, kind, userId } of rows.filter((row) => standingOf(row)?.as === 'account')) {
    const notice = TURN_OFF_KINDS.find((one) => one === kind);
    if (!notice || !userId) readers.set(id, {});
    else if (wants(standings.get(userId), notice)) {
      const turnOffUrl = link(deps, TURN_OFF_PATH, { token: tokenFor(userId, notice) });
      readers.set(id, { turnOffUrl });
    }
  }
  const invited = rows.filter(
    (row) => standingOf(row)?.as === 'invited' && INVITED_KINDS.includes(row.kind),
  );
  const links = invited.map(({ id, kind, userId }) => ({
    id,
    userId: userId ?? '',
    invitationId: kind === 'invitation' ? id : null,
    isEmailed: true,
  }));
  for (const { id, token } of await issueInvitationLinks(deps.db, deps, links)) {
    readers.set(id, { token });
  }
  return readers;
}

/** Who does not want to hear of openings is not reminded of them either. */
function wants(standing: Standing | undefined, kind: TurnOffKind): boolean {
  const unwanted = standing?.unwanted ?? [];
  if (kind === 'capsule-reminder' && unwanted.includes('capsule-opened')) return false;
  return !unwanted.includes(kind);
}

/** An invited person's links have one token: who holds it may make the account or refuse. */
function linksFor(
  deps: Pick<Deps, 'config'>,
  { token, ...turnOff }: Reader,
  query: Record<string, string>,
): { url: string; refuseUrl?: string; turnOffUrl?: string } {
  if (token === undefined) return { url: link(deps, '/dashboard', query), ...turnOff };
  const refuseUrl = link(deps, '/auth/refuse-invitation', { token });
  return { url: invitationUrl(deps, token, query), refuseUrl };
}

/** The page on which an invited person makes their account. */
export function invitationUrl(
  deps: Pick<Deps, 'config'>,
  token: string,
  query: Record<string, string> = {},
): string {
  return link(deps, '/auth', { register: 'true', invitation: token, ...query });
}

/**
 * Reads what notices and yearly emails tell about, for any number of them in a few statements.
 * @returns renders one of these rows, as `renderMail` does
 */
export async function prepareNotices(
  deps: ContentDeps,
  rows: MailRow[],
): Promise<(row: MailRow) => Mail | null> {
  const now = deps.clock.now();
  const ids = rows.flatMap(({ capsuleId }) => capsuleId ?? []);
  const capsules = new Map(
    (await findNoticeCapsules(deps.db, ids)).map((capsule) => [capsule.id, capsule]),
  );
  const recipients = await listRecipientNames(deps.db, ids);
  const readers = await readersOf(deps, rows);
  const isUntold = await untold(deps, rows);
  const toPath = (path: string, query?: Record<string, string>) => link(deps, path, query);
  const renderYearly = await prepareYearly(deps, rows.filter(isYearly), toPath);
  return (row) => {
    const capsule = capsules.get(row.capsuleId ?? '');
    const reader = readers.get(row.id);
    if (!reader || !isUntold(row)) return null;
    if (isYearly(row)) {
      return addressed(row, renderYearly(row, reader.turnOffUrl), { textVaries: false });
    }
    if (!capsule) return null;
    const named = recipients.filter(({ capsuleId }) => capsuleId === capsule.id);
    const rendered = renderNotice(deps, row, { ...capsule, recipients: named, reader }, now);
    return addressed(row, rendered, { textVaries: false });
  };
}

function renderNotice(
  deps: ContentDeps,
  row: MailRow,
  capsule: NoticeCapsule & { recipients: { id: string; name: string }[]; reader: Reader },
  now: Date,
): RenderedMail | null {
  const { title, creatorName, dateToUnlock } = capsule;
  const isCreator = capsule.creatorId === row.userId;
  const isRecipient = capsule.recipients.some(({ id }) => id === row.userId);
  if (!isCreator && !isRecipient) return null;
  const links = linksFor(deps, capsule.reader, { capsule: capsule.id });
  const opened = isOpen(capsule, now);

  if (row.kind === 'capsule-waiting') {
    // Sent so late that the capsule has opened: the other notice replaces this one.
    if (opened) return null;
    return capsuleWaitingMail({
      title,
      creatorName,
      ownCapsule: isCreator,
      dateToUnlock,
      calendarUrl: link(deps, getCalendarEvent.path.replace(':id', capsule.id)),
      ...links,
    });
  }
  const notBefore = earliest(row, capsule);
  if (notBefore > now) throw new TooEarlyError(notBefore);
  if (row.kind === 'capsule-reminder') {
    return capsuleReminderMail({
      title,
      creatorName,
      ownCapsule: isCreator,
      dateToUnlock,
      ...links,
    });
  }
  return capsuleOpenedMail({
    title,
    creatorName,
    reader: !isCreator ? 'recipient' : isRecipient ? 'self' : 'creator',
    recipientNames: capsule.recipients.map(({ name }) => name),
    dateToUnlock,
    ...links,
  });
}

/** Links use the configured origin only, never a header of a request. */
function link({ config }: Pick<Deps, 'config'>, path: string, query: Record<string, string> = {}) {
  const search = new URLSearchParams(query).toString();
  return `${config.appUrl}${path}${search && `?${search}`}`;
}
