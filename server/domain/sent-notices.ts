import type { Notice } from '../../shared/api/notices.ts';
import { DAY_MS } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import type { Actor } from '../auth/sessions.ts';
import { repeatMail } from '../db/mails.ts';
import { findNotices, hasCreated, type NoticeRow } from '../db/notices.ts';
import type { Deps } from '../deps.ts';
import { isUuid } from './is-uuid.ts';

/**
 * Delivery states of the emails about a capsule, for its creator only. Error texts of the
 * provider stay in the log, because they may name machines. @throws CAPSULE_NOT_FOUND for everyone
 * else
 */
export async function listNotices(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  id: string,
): Promise<{ notices: Notice[] }> {
  if (!isUuid(id) || !(await hasCreated(db, actor.userId, id))) {
    throw new AppError('CAPSULE_NOT_FOUND');
  }
  const rows = await findNotices(db, id);
  return { notices: rows.filter(({ state }) => state !== 'dropped').map(present) };
}

/**
 * Queues the email to one recipient again. @throws CAPSULE_NOT_FOUND; NOTICE_NOT_FOUND also for one
 * that a newer email has replaced; NOTICE_NOT_REPEATABLE; RATE_LIMITED within a day
 */
export async function sendNoticeAgain(
  deps: Pick<Deps, 'db' | 'clock' | 'mailQueued'>,
  actor: Actor,
  { id, noticeId }: { id: string; noticeId: string },
): Promise<{ notices: Notice[] }> {
  const { notices } = await listNotices(deps, actor, id);
  const notice = notices.find((one) => one.id === noticeId);
  if (!notice) throw new AppError('NOTICE_NOT_FOUND');
  if (notice.againAt === null) throw notRepeatable(notice);
  const now = deps.clock.now();
  const waitMs = Date.parse(notice.againAt) - now.getTime();
  if (waitMs > 0) throw tooSoon(waitMs);
  const lastBefore = new Date(now.getTime() - DAY_MS);
  // Another tab may have done it in this moment.
  if (!(await repeatMail(deps.db, { id: noticeId, now, lastBefore }))) throw tooSoon(DAY_MS);
  deps.mailQueued();
  return listNotices(deps, actor, id);
}

function present(row: NoticeRow): Notice {
  const { id, recipientName, recipientEmail, kind, sentAt, deliveredAt } = row;
  const state = stateOf(row);
  const at = state === 'sent' ? sentAt : deliveredAt;
  return {
    id,
    recipientName,
    recipientEmail,
    kind,
    state,
    at: at?.toISOString() ?? null,
    sentAt: sentAt?.toISOString() ?? null,
    againAt: againAt(row)?.toISOString() ?? null,
  };
}

function stateOf({ state, delivery }: NoticeRow): Notice['state'] {
  if (state === 'queued') return 'queued';
  return delivery ?? (state === 'sent' ? 'sent' : 'failed');
}

function againAt({ state, delivery, createdAt, repeatedAt }: NoticeRow): Date | null {
  if (state === 'queued' || delivery === 'complained') return null;
  return repeatedAt ? new Date(repeatedAt.getTime() + DAY_MS) : createdAt;
}

function notRepeatable({ state, recipientName }: Notice): AppError {
  const message =
    state === 'queued'
      ? 'This email is still on its way.'
      : `${recipientName} marked it as spam. We send them no more of it.`;
  return new AppError('NOTICE_NOT_REPEATABLE', { message });
}

function tooSoon(waitMs: number): AppError {
  const message = 'It was sent again already. Please wait a day.';
  return new AppError('RATE_LIMITED', { message, retryAfter: Math.ceil(waitMs / 1_000) });
}
