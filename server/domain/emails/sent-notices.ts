import type { Notice, SentInvitation, SentNotices } from '../../../shared/api/notices.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { later } from '../../clock/clock.ts';
import {
  findNotices,
  findSentInvitations,
  hasCreated,
  type NoticeRow,
  type SentInvitationRow,
} from '../../db/emails/notices.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';
import { EMAIL_KINDS } from '../../mail/kinds.ts';
import { choosePeopleToNotify } from './queue.ts';
import { sendOnceMore } from './send-again.ts';

/** How often one notice is sent again, in all. */
const REPEATS_MAX = 3;

/**
 * What became of the emails about a capsule, for its creator only, and of the creator's own
 * invitations of its recipients. What the provider said stays with the operator, because it may name
 * machines. @throws CAPSULE_NOT_FOUND for everyone else
 */
export async function listNotices(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<SentNotices> {
  const notices = await findListed(deps, actor, id);
  const own = { capsuleId: id, inviterId: actor.userId };
  const invitations = await findSentInvitations(deps.db, own);
  return { notices: notices.map(present), invitations: invitations.map(presentInvitation) };
}

/** With whether the recipient has had a newer email about the capsule. */
type ListedRow = NoticeRow & { isReplaced: boolean };

async function findListed(
  { config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<ListedRow[]> {
  if (!isUuid(id) || !(await hasCreated(db, actor.userId, id))) {
    throw new AppError('CAPSULE_NOT_FOUND');
  }
  const rows = asDelivered({ config, clock }, await findNotices(db, id));
  const opened = rows.filter(({ kind }) => kind === 'capsule-opened');
  const told = new Set(opened.map(({ recipientId }) => recipientId));
  return rows.map((row) => ({
    ...row,
    isReplaced: row.kind === 'capsule-waiting' && told.has(row.recipientId),
  }));
}

/** About how long it takes until a provider that tells of its emails has delivered one. */
const DELIVERED_AFTER_MS = 60_000;

/**
 * One that was withheld looks like the others: delivered, where the provider tells of that, together
 * with another recipient's, or after a while.
 */
function asDelivered(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  rows: NoticeRow[],
): NoticeRow[] {
  const hasEvents = config.mail.provider === 'resend' && config.mail.webhookSecret !== null;
  if (!hasEvents) return rows;
  const since = clock.now().getTime() - DELIVERED_AFTER_MS;
  return rows.map((row) => {
    const sentAt = row.lastSentAt?.getTime();
    if (!row.isWithheld || sentAt === undefined) return row;
    const like = rows.find(
      ({ kind, state, at }) =>
        kind === row.kind && state === 'delivered' && at !== null && at.getTime() >= sentAt,
    );
    if (like) return { ...row, state: 'delivered', at: like.at };
    return sentAt <= since ? { ...row, state: 'delivered' } : row;
  });
}

/**
 * Queues the email to one recipient again. It counts towards the limits of "is waiting" emails.
 * @throws CAPSULE_NOT_FOUND; NOTICE_NOT_FOUND; NOTICE_NOT_REPEATABLE, also for one that a newer email
 * has replaced; RATE_LIMITED within a day
 */
export async function sendNoticeAgain(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'limits' | 'mailQueued'>,
  actor: Actor,
  { id, noticeId }: { id: string; noticeId: string },
): Promise<SentNotices> {
  const notice = (await findListed(deps, actor, id)).find(({ id: email }) => email === noticeId);
  if (!notice) throw new AppError('NOTICE_NOT_FOUND');
  const message = whyNotAgain(notice);
  if (message) throw new AppError('NOTICE_NOT_REPEATABLE', { message });
  const now = deps.clock.now();
  const waitMs = againFrom(notice).getTime() - now.getTime();
  if (waitMs > 0) throw tooSoon(waitMs);
  const capsule = { creatorId: actor.userId, notifyRecipient: true };
  const recipient = { id: notice.recipientId };
  if ((await choosePeopleToNotify(deps, capsule, [recipient])).length === 0) throw tooMany();
  const { urgency } = EMAIL_KINDS[notice.kind];
  const last = { emailId: notice.id, number: notice.lastNumber, urgency, slot: 'main' as const };
  // Another tab may have done it in this moment.
  if (!(await sendOnceMore(deps, last, { cause: 'repeat' }))) throw tooSoon(DAY_MS);
  deps.mailQueued();
  return listNotices(deps, actor, id);
}

function present(row: ListedRow): Notice {
  const { id, recipientName, recipientEmail, kind, state, at, lastSentAt } = row;
  return {
    ...{ id, recipientName, recipientEmail, kind, state },
    at: toMinute(at),
    sentAt: toMinute(lastSentAt),
    againAt: whyNotAgain(row) ? null : againFrom(row).toISOString(),
  };
}

const presentInvitation = ({ at, ...row }: SentInvitationRow): SentInvitation => ({
  ...row,
  at: toMinute(at),
});

/** No finer, or it could be seen by the time that sending takes which emails were withheld. */
function toMinute(instant: Date | null): string | null {
  if (!instant) return null;
  return new Date(Math.floor(instant.getTime() / MINUTE_MS) * MINUTE_MS).toISOString();
}

/** In words for the creator; null if it may be sent again. */
function whyNotAgain(row: ListedRow): string | null {
  const { recipientName: name, state, repeats, hasAccount, isReplaced } = row;
  if (isReplaced) return `We've since told ${name} that it has opened.`;
  if (state === 'queued') return 'This email is still on its way.';
  if (state === 'complained') return `${name} marked it as spam. We won't send it to them again.`;
  if (repeats >= REPEATS_MAX) {
    return `We've sent it to ${name} three more times. We won't send it again.`;
  }
  // They were told what we tell somebody who is only invited.
  if (!hasAccount && state !== 'bounced' && state !== 'failed' && state !== 'unknown') {
    return `${name} has no account yet, and has been told. We write again only if our email couldn't be delivered.`;
  }
  return null;
}

function againFrom({ createdAt, repeatedAt }: NoticeRow): Date {
  return repeatedAt ? later(repeatedAt, DAY_MS) : createdAt;
}

function tooMany(): AppError {
  const message = "You've had many emails sent today. Please try again tomorrow.";
  return new AppError('RATE_LIMITED', { message, retryAfter: DAY_MS / 1_000 });
}

function tooSoon(waitMs: number): AppError {
  const message = 'It was sent again already. Please wait a day.';
  return new AppError('RATE_LIMITED', { message, retryAfter: Math.ceil(waitMs / 1_000) });
}
