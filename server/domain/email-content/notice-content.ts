import { getCalendarEvent } from '../../../shared/api/capsules.ts';
import { DAY_MS, REMINDER_AFTER_DAYS } from '../../../shared/limits.ts';
import type { YearlyKind } from '../../db/accounts/yearly-mails.ts';
import {
  findNoticeCapsules,
  findUnread,
  listRecipientNames,
  type NoticeCapsule,
} from '../../db/email-content/mail-subjects.ts';
import type { MailRow } from '../../db/emails/mails.ts';
import type { KindsWith } from '../../mail/kinds.ts';
import type { Mail } from '../../mail/mailer.ts';
import { capsuleOpenedMail } from '../../mail/templates/capsule-opened.ts';
import { capsuleReminderMail } from '../../mail/templates/capsule-reminder.ts';
import { capsuleWaitingMail } from '../../mail/templates/capsule-waiting.ts';
import type { RenderedMail } from '../../mail/templates/letter.ts';
import {
  type SeveralCapsules,
  severalCapsulesMail,
} from '../../mail/templates/several-capsules.ts';
import { isOpen } from '../capsules/capsule-view.ts';
import { addressed } from '../emails/mail-address.ts';
import { TooEarlyError } from '../emails/too-early-error.ts';
import { type ContentDeps, link, linksFor, type Reader, readersOf } from './mail-readers.ts';
import { isYearly, prepareYearly } from './yearly-content.ts';

const REMINDER_AFTER_MS = REMINDER_AFTER_DAYS * DAY_MS;

/** News about one capsule: all that isn't urgent or yearly. */
type NoticeKind = Exclude<KindsWith<{ urgency: 1 | 2 }>, YearlyKind>;

/** What several of these say as one email. */
const STATES: Record<NoticeKind, SeveralCapsules['state']> = {
  'capsule-waiting': 'waiting',
  'capsule-opened': 'opened',
  'capsule-reminder': 'unread',
};

type NoticeRow = MailRow & { kind: NoticeKind };

const isNotice = (row: MailRow): row is NoticeRow => Object.hasOwn(STATES, row.kind);

/**
 * Reads what notices and yearly emails tell about, for any number of them in a few statements.
 * @returns renders one of these rows; null and errors as with `renderMail`
 */
export async function prepareNews(
  deps: ContentDeps,
  rows: MailRow[],
): Promise<(row: MailRow) => RenderedMail | null> {
  const now = deps.clock.now();
  const ids = rows.flatMap(({ capsuleId }) => capsuleId ?? []);
  const capsules = new Map(
    (await findNoticeCapsules(deps.db, ids)).map((capsule) => [capsule.id, capsule]),
  );
  const recipients = await listRecipientNames(deps.db, ids);
  const readers = await readersOf(deps, rows);
  const isUntold = await untold(deps, rows);
  const renderYearly = await prepareYearly(deps, rows.filter(isYearly));
  return (row) => {
    const capsule = capsules.get(row.capsuleId ?? '');
    const reader = readers.get(row.id);
    if (!reader || !isUntold(row)) return null;
    if (isYearly(row)) return renderYearly(row, reader.turnOffUrl);
    if (!capsule || !isNotice(row)) return null;
    const named = recipients.filter(({ capsuleId }) => capsuleId === capsule.id);
    return renderNotice(deps, row, { ...capsule, recipients: named, reader }, now);
  };
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
  if (!reader || !isNotice(first)) return null;
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
    state: STATES[first.kind],
    capsules: told.map(({ title, creatorId, creatorName, dateToUnlock }) => ({
      title,
      from: creatorId === first.userId ? 'you' : creatorName,
      dateToUnlock,
    })),
    ...linksFor(deps, reader, {}),
  });
  return addressed(first, rendered, { textVaries: true });
}

function renderNotice(
  deps: ContentDeps,
  row: NoticeRow,
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
  switch (row.kind) {
    case 'capsule-reminder':
      return capsuleReminderMail({
        title,
        creatorName,
        ownCapsule: isCreator,
        dateToUnlock,
        ...links,
      });
    case 'capsule-opened':
      return capsuleOpenedMail({
        title,
        creatorName,
        reader: !isCreator ? 'recipient' : isRecipient ? 'self' : 'creator',
        recipientNames: capsule.recipients.map(({ name }) => name),
        dateToUnlock,
        ...links,
      });
  }
}

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
