import { getCalendarEvent } from '../../../shared/api/capsules.ts';
import { DAY_MS, HOUR_MS, REMINDER_AFTER_DAYS } from '../../../shared/limits.ts';
import { later } from '../../clock/clock.ts';
import {
  type EmailPerson,
  findNoticeCapsules,
  type NoticeCapsule,
} from '../../db/email-content/subjects.ts';
import type { CapsuleKind, KindsWith } from '../../mail/kinds.ts';
import { capsuleOpenedMail } from '../../mail/templates/capsule-opened.ts';
import { capsuleWaitingMail } from '../../mail/templates/capsule-waiting.ts';
import type { RenderedEmail } from '../../mail/templates/layout.ts';
import {
  type SeveralCapsules,
  severalCapsulesMail,
} from '../../mail/templates/several-capsules.ts';
import { isOpen } from '../capsules/capsule-view.ts';
import { PutOffError } from '../emails/next-attempt.ts';
import { isAboutAdded, prepareAdded } from './added-content.ts';
import {
  type Content,
  type ContentDeps,
  link,
  makeOwnLinks,
  type Outgoing,
  type OwnLinks,
  urlsOf,
} from './links.ts';
import { isYearly, prepareYearly } from './yearly-content.ts';

type NewsKind = KindsWith<{ urgency: 1 | 2 }>;

const REMINDER_AFTER_MS = REMINDER_AFTER_DAYS * DAY_MS;

/**
 * What each kind says about several capsules. A kind that is news, but not about capsules, needs a
 * branch in `prepareNews` instead, as the yearly one has.
 */
const STATES: Record<
  Exclude<NewsKind, 'address-check' | 'contribution-added'>,
  SeveralCapsules['state']
> = {
  'capsule-waiting': 'waiting',
  'capsule-opened': 'opened',
  'capsule-reminder': 'unread',
};

/** An email about capsules, one or several. */
type AboutCapsules = Outgoing & { kind: CapsuleKind };

const isAboutCapsules = (email: Outgoing): email is AboutCapsules => email.isAboutCapsules;

/**
 * Reads what news tells about, for any number of emails in a few statements.
 * @returns renders one of them; what it returns and throws is as with `prepareEmails`
 */
export async function prepareNews(
  deps: ContentDeps,
  all: Outgoing[],
  people: Map<string, EmailPerson>,
): Promise<(email: Outgoing) => Content> {
  const now = deps.clock.now();
  const ids = [...new Set(all.flatMap(({ capsuleIds }) => capsuleIds))];
  const capsules = await findNoticeCapsules(deps.db, ids);
  const links = await makeOwnLinks(deps, all, people);
  const renderYearly = await prepareYearly(deps, all.filter(isYearly), people);
  const renderAdded = await prepareAdded(deps, all.filter(isAboutAdded), people);
  return (email) => {
    const own = links.get(email.id);
    if (!own) return null;
    if (isYearly(email)) return renderYearly(email, own.turnOffUrl);
    if (isAboutAdded(email)) return renderAdded(email);
    if (!isAboutCapsules(email)) return null;
    const toTell = email.capsuleIds
      .flatMap((id) => capsules.get(id) ?? [])
      .filter((capsule) => isToBeTold(email, capsule, now))
      .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    const notBlocked = toTell.filter((capsule) => !hasBlockedCreator(email, capsule));
    const [capsule, ...others] = notBlocked;
    if (!capsule) return toTell.length > 0 ? 'withheld' : null;
    checkWhenAll(email, notBlocked, now);
    return others.length === 0
      ? renderNotice(deps, email, capsule, own)
      : renderTogether(deps, email, notBlocked, own);
  };
}

function hasBlockedCreator({ userId }: AboutCapsules, { recipients }: NoticeCapsule): boolean {
  return recipients.some((one) => one.id === userId && one.hasBlockedCreator);
}

/** @throws PutOffError until all of these may be told */
function checkWhenAll(email: AboutCapsules, capsules: NoticeCapsule[], now: Date): void {
  const at = Math.max(...capsules.map((capsule) => earliest(email, capsule).getTime()));
  if (at > now.getTime()) throw new PutOffError(new Date(at));
  // With others' capsules in it, the email goes: their news must not wait. It is looked again later
  // whether the suspended person was resumed.
  if (capsules.every(({ isBySuspended }) => isBySuspended)) {
    throw new PutOffError(later(now, HOUR_MS));
  }
}

function renderTogether(
  deps: ContentDeps,
  { kind, userId }: AboutCapsules,
  capsules: NoticeCapsule[],
  own: OwnLinks,
): RenderedEmail {
  return severalCapsulesMail({
    state: STATES[kind],
    capsules: capsules.map((capsule) => listed(userId, capsule)),
    ...urlsOf(deps, own),
  });
}

const listed = (
  userId: string | null,
  { title, creatorId, creatorName, dateToUnlock }: NoticeCapsule,
) => ({ title, from: creatorId === userId ? 'you' : creatorName, dateToUnlock });

function renderNotice(
  deps: ContentDeps,
  { kind, userId }: AboutCapsules,
  capsule: NoticeCapsule,
  own: OwnLinks,
): RenderedEmail {
  const { title, creatorName, dateToUnlock } = capsule;
  const isCreator = capsule.creatorId === userId;
  const recipient = capsule.recipients.find(({ id }) => id === userId);
  const tab: Record<string, string> = isCreator ? {} : { tab: 'received' };
  const urls = urlsOf(deps, own, { ...tab, capsule: capsule.id });
  const about = { title, creatorName, ownCapsule: isCreator, dateToUnlock, ...urls };
  switch (kind) {
    case 'capsule-waiting': {
      const calendarUrl = link(deps, getCalendarEvent.path.replace(':id', capsule.id));
      return capsuleWaitingMail({ ...about, calendarUrl });
    }
    case 'capsule-reminder':
      return severalCapsulesMail({ state: 'unread', capsules: [listed(userId, capsule)], ...urls });
    case 'capsule-opened':
      return capsuleOpenedMail({
        title,
        creatorName,
        readerName: recipient?.name ?? creatorName,
        reader: !isCreator ? 'recipient' : recipient ? 'self' : 'creator',
        recipientNames: namesOf(capsule.recipients),
        withoutAccount: namesOf(capsule.recipients.filter(({ isAwaited }) => isAwaited)),
        dateToUnlock,
        ...urls,
      });
  }
}

const namesOf = (people: NoticeCapsule['recipients']) => people.map(({ name }) => name);

/** When a notice may go at the earliest. */
function earliest({ kind }: AboutCapsules, { unlockAt, openedNoticeAt }: NoticeCapsule): Date {
  switch (kind) {
    case 'capsule-waiting':
      return new Date(0);
    case 'capsule-opened':
      return unlockAt;
    case 'capsule-reminder': {
      const told = Math.max(unlockAt.getTime(), openedNoticeAt?.getTime() ?? 0);
      return new Date(told + REMINDER_AFTER_MS);
    }
  }
}

/**
 * Whether there is still something to tell about a capsule: to its creator or a recipient. Reminders
 * only to who has not looked. That one is waiting is not told once it has opened: the other notice
 * replaces this one.
 */
function isToBeTold({ kind, userId }: AboutCapsules, capsule: NoticeCapsule, now: Date): boolean {
  const recipient = capsule.recipients.find(({ id }) => id === userId);
  if (!recipient && capsule.creatorId !== userId) return false;
  switch (kind) {
    case 'capsule-waiting':
      return !isOpen(capsule, now);
    case 'capsule-opened':
      return true;
    case 'capsule-reminder':
      return recipient?.isUnread === true;
  }
}
