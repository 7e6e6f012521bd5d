import { createHmac } from 'node:crypto';
import type { NoticeChoices, TurnOffKind } from '../../shared/api/notices.ts';
import { AppError } from '../app-error.ts';
import { equal } from '../auth/equal.ts';
import type { Actor } from '../auth/sessions.ts';
import { setKeepsakeFrom } from '../db/keepsake-mails.ts';
import { findChoices, findNoticeLinkKey, setWanted, TURN_OFF_KINDS } from '../db/notice-choices.ts';
import type { Deps } from '../deps.ts';
import { isUuid } from './is-uuid.ts';

type LinkDeps = Pick<Deps, 'db' | 'ids'>;

export async function getNoticeChoices(
  { db }: Pick<Deps, 'db'>,
  { userId }: Actor,
): Promise<NoticeChoices> {
  const { unwanted, keepsakeDueAt } = await findChoices(db, userId);
  return {
    waiting: !unwanted.includes('capsule-waiting'),
    opened: !unwanted.includes('capsule-opened'),
    keepsake: keepsakeDueAt !== null,
  };
}

export async function setNoticeChoices(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  { waiting, opened, keepsake }: NoticeChoices,
): Promise<NoticeChoices> {
  await setWanted(db, actor.userId, { kind: 'capsule-waiting', isWanted: waiting });
  await setWanted(db, actor.userId, { kind: 'capsule-opened', isWanted: opened });
  if (keepsake !== undefined) {
    await setKeepsakeFrom(db, actor.userId, keepsake ? clock.now() : null);
  }
  return getNoticeChoices({ db }, actor);
}

/**
 * Makes the tokens of links that turn one kind of notice off for one person. They need no row and
 * never end. Whoever holds one, perhaps because the email was forwarded, can do nothing else by it.
 */
export async function noticeLinkTokens({
  db,
  ids,
}: LinkDeps): Promise<(userId: string, kind: TurnOffKind) => string> {
  const key = await findNoticeLinkKey(db, ids.token());
  return (userId, kind) => `${kind}.${userId}.${signature(key, userId, kind)}`;
}

/** Turns off what the link is about. @throws INVALID_NOTICE_LINK */
export async function turnNoticeOff(deps: LinkDeps, token: string): Promise<TurnOffKind> {
  const [kind, userId = '', given = ''] = token.split('.');
  const known = TURN_OFF_KINDS.find((one) => one === kind);
  if (!known || !isUuid(userId)) throw new AppError('INVALID_NOTICE_LINK');
  const key = await findNoticeLinkKey(deps.db, deps.ids.token());
  if (!equal(given, signature(key, userId, known))) throw new AppError('INVALID_NOTICE_LINK');
  if (known === 'keepsake') await setKeepsakeFrom(deps.db, userId, null);
  else await setWanted(deps.db, userId, { kind: known, isWanted: false });
  return known;
}

function signature(key: string, userId: string, kind: TurnOffKind): string {
  return createHmac('sha256', key).update(`${kind} ${userId}`).digest('base64url');
}
