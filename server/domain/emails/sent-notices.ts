import type { Notice, SentInvitation, SentNotices } from '../../../shared/api/notices.ts';
import { DAY_MS } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { nameless } from '../../client-limits.ts';
import { findWithheld } from '../../db/doors/withheld-notices.ts';
import {
  findNotices,
  findSentInvitations,
  hasCreated,
  type NoticeRow,
  type SentInvitationRow,
} from '../../db/emails/notices.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';
import { choosePeopleToNotify } from './notices.ts';
import { type MaybeWithheld, repeatNotice, withWithheld } from './withheld-notices.ts';

/** How often one notice is sent again, in all. */
const REPEATS_MAX = 3;

/**
 * Delivery states of the emails about a capsule, for its creator only, and of the creator's own
 * invitations of its recipients. Error texts of the provider stay in the log, because they may name
 * machines. @throws CAPSULE_NOT_FOUND for everyone else
 */
export async function listNotices(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<SentNotices> {
  const notices = await findListed(deps, actor, id);
  const condition = { isVerified: deps.config.emailVerification };
  const own = { capsuleId: id, inviterId: actor.userId };
  const invitations = (await findSentInvitations(deps.db, own, condition)).filter(isListed);
  return { notices: notices.map(present), invitations: invitations.map(presentInvitation) };
}

const isListed = ({ state }: Pick<NoticeRow, 'state'>) => state !== 'dropped';

/** With whether the recipient has had a newer email about the capsule. */
type ListedRow = MaybeWithheld & { isReplaced: boolean };

async function findListed(
  { config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<ListedRow[]> {
  if (!isUuid(id) || !(await hasCreated(db, actor.userId, id))) {
    throw new AppError('CAPSULE_NOT_FOUND');
  }
  const queued = await findNotices(db, id, { isVerified: config.emailVerification });
  const rows = withWithheld(queued, await findWithheld(db, id), { config, now: clock.now() });
  const opened = rows.filter(({ kind }) => kind === 'capsule-opened');
  const told = new Set(opened.map(({ recipientId }) => recipientId));
  return rows.filter(isListed).map((row) => ({
    ...row,
    isReplaced: row.kind === 'capsule-waiting' && told.has(row.recipientId),
  }));
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
  const notice = (await findListed(deps, actor, id)).find((one) => publicId(one) === noticeId);
  if (!notice) throw new AppError('NOTICE_NOT_FOUND');
  const message = whyNotAgain(notice);
  if (message) throw new AppError('NOTICE_NOT_REPEATABLE', { message });
  const now = deps.clock.now();
  const waitMs = againFrom(notice).getTime() - now.getTime();
  if (waitMs > 0) throw tooSoon(waitMs);
  const capsule = { creatorId: actor.userId, notifyRecipient: true };
  const recipient = { id: notice.recipientId, email: notice.recipientEmail };
  if ((await choosePeopleToNotify(deps, capsule, [recipient])).length === 0) throw tooMany();
  const lastBefore = new Date(now.getTime() - DAY_MS);
  // Another tab may have done it in this moment.
  if (
    !(await repeatNotice(
      deps,
      { ...notice, capsuleId: id, creatorId: actor.userId },
      { now, lastBefore },
    ))
  ) {
    throw tooSoon(DAY_MS);
  }
  deps.mailQueued();
  return listNotices(deps, actor, id);
}

/**
 * The email's own id is its key: a creator who knew it could report that the email came back, and so
 * have the recipient's emails go elsewhere.
 */
export const publicId = ({ id }: Pick<NoticeRow, 'id'>) => nameless(`notice ${id}`);

function present(row: ListedRow): Notice {
  const { recipientName, recipientEmail, kind, sentAt } = row;
  const state = stateOf(row);
  const at = atOf(row, state);
  return {
    id: publicId(row),
    recipientName,
    recipientEmail,
    kind,
    state,
    at: at?.toISOString() ?? null,
    sentAt: sentAt?.toISOString() ?? null,
    againAt: whyNotAgain(row) ? null : againFrom(row).toISOString(),
  };
}

function presentInvitation(row: SentInvitationRow): SentInvitation {
  const { recipientName, recipientEmail } = row;
  const state = stateOf(row);
  return { recipientName, recipientEmail, state, at: atOf(row, state)?.toISOString() ?? null };
}

function atOf({ sentAt, deliveredAt, unknownSince }: SentInvitationRow, state: Notice['state']) {
  if (state === 'queued') return null;
  if (state === 'sent') return sentAt;
  return state === 'unknown' ? unknownSince : deliveredAt;
}

function stateOf({ state, delivery, unknownSince }: SentInvitationRow): Notice['state'] {
  if (state === 'queued') return 'queued';
  if (delivery) return delivery;
  if (state === 'sent') return 'sent';
  return unknownSince ? 'unknown' : 'failed';
}

/** In words for the creator; null if it may be sent again. */
function whyNotAgain(row: ListedRow): string | null {
  const { recipientName: name, repeats, hasAccount, isReplaced } = row;
  const state = stateOf(row);
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
  return repeatedAt ? new Date(repeatedAt.getTime() + DAY_MS) : createdAt;
}

function tooMany(): AppError {
  const message = "You've had many emails sent today. Please try again tomorrow.";
  return new AppError('RATE_LIMITED', { message, retryAfter: DAY_MS / 1_000 });
}

function tooSoon(waitMs: number): AppError {
  const message = 'It was sent again already. Please wait a day.';
  return new AppError('RATE_LIMITED', { message, retryAfter: Math.ceil(waitMs / 1_000) });
}
