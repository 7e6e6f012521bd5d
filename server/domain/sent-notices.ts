import type { Notice } from '../../shared/api/notices.ts';
import { AppError } from '../app-error.ts';
import { findNotices, hasCreated, type NoticeRow } from '../db/notices.ts';
import type { Actor, Deps } from '../deps.ts';
import { isUuid } from './is-uuid.ts';
import { MAIL_ATTEMPTS_MAX } from './mail-schedule.ts';

/**
 * What became of the mails about a capsule, for its creator alone. A provider's own words stay in
 * the log: they may name machines.
 * @throws CAPSULE_NOT_FOUND for everybody else
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

/** Null for a mail that there was nobody to tell by. */
function stateOf({ state, attempts }: NoticeRow): Notice['state'] | null {
  if (state === 'dropped') return null;
  if (state !== 'failed') return state;
  return attempts < MAIL_ATTEMPTS_MAX ? 'refused' : 'unreachable';
}
