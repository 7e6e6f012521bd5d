import type { Notice } from '../../shared/api/notices.ts';
import { AppError } from '../app-error.ts';
import type { Actor } from '../auth/sessions.ts';
import { findNotices, hasCreated, type NoticeRow } from '../db/notices.ts';
import type { Deps } from '../deps.ts';
import { isUuid } from './is-uuid.ts';
import { MAIL_ATTEMPTS_MAX } from './mail-schedule.ts';

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
  const notices = rows.flatMap((row) => {
    const state = stateOf(row);
    const { recipientName, recipientEmail, kind, sentAt } = row;
    const notice = { recipientName, recipientEmail, kind, sentAt: sentAt?.toISOString() ?? null };
    return state === null ? [] : [{ ...notice, state }];
  });
  return { notices };
}

/** Null for a dropped email. */
function stateOf({ state, attempts }: NoticeRow): Notice['state'] | null {
  if (state === 'dropped') return null;
  if (state !== 'failed') return state;
  return attempts < MAIL_ATTEMPTS_MAX ? 'refused' : 'unreachable';
}
