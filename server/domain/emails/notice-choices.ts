import type { NoticeChoices, TurnOffKind } from '../../../shared/api/notices.ts';
import { AppError } from '../../app-error.ts';
import { equal } from '../../auth/equal.ts';
import { linkSigner } from '../../auth/link-signer.ts';
import type { Actor } from '../../auth/sessions.ts';
import {
  type AskedKind,
  type Choices,
  findChoices,
  setChoices,
  TURN_OFF_KINDS,
} from '../../db/emails/notice-choices.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';
import type { KindsWith } from '../../mail/kinds.ts';

type LinkDeps = Pick<Deps, 'db' | 'ids'>;

/** The name of each choice in the API, and the kind of email it is about. */
const WANTED = {
  waiting: 'capsule-waiting',
  opened: 'capsule-opened',
  reminder: 'capsule-reminder',
  addressCheck: 'address-check',
} as const satisfies Partial<
  Record<keyof NoticeChoices, KindsWith<{ comes: 'unless-turned-off' }>>
>;
const ASKED = { keepsake: 'keepsake', stillSealed: 'still-sealed' } as const satisfies Partial<
  Record<keyof NoticeChoices, AskedKind>
>;

export async function getNoticeChoices(
  { db }: Pick<Deps, 'db'>,
  { userId }: Actor,
): Promise<NoticeChoices> {
  return shown(await findChoices(db, userId));
}

/** What each answer of the question after reading stands for; null asks it. */
const READ = { ask: null, always: true, never: false } as const;

function shown({ unwanted, asked, tellsWhenRead }: Choices): NoticeChoices {
  return {
    read: tellsWhenRead === null ? 'ask' : tellsWhenRead ? 'always' : 'never',
    waiting: !unwanted.includes(WANTED.waiting),
    opened: !unwanted.includes(WANTED.opened),
    reminder: !unwanted.includes(WANTED.reminder),
    addressCheck: !unwanted.includes(WANTED.addressCheck),
    keepsake: asked.includes(ASKED.keepsake),
    stillSealed: asked.includes(ASKED.stillSealed),
  };
}

/** What a caller does not name stays as it is. */
export async function setNoticeChoices(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  choices: NoticeChoices,
): Promise<NoticeChoices> {
  const named = entriesOf({ ...WANTED, ...ASKED }).map(([name, kind]) => [kind, choices[name]]);
  const tellsWhenRead = choices.read && READ[choices.read];
  const chosen = { choices: Object.fromEntries(named), tellsWhenRead, now: clock.now() };
  return shown(await setChoices(db, actor.userId, chosen));
}

function entriesOf<Key extends string, Value>(record: Record<Key, Value>): [Key, Value][] {
  return Object.entries(record) as [Key, Value][];
}

/**
 * Makes the tokens of links that turn one kind of notice off for one person. They need no row and
 * never end. Whoever holds one, perhaps because the email was forwarded, can do nothing else by it.
 */
export async function noticeLinkTokens(
  deps: LinkDeps,
): Promise<(userId: string, kind: TurnOffKind) => string> {
  const sign = await linkSigner(deps);
  return (userId, kind) => `${kind}.${userId}.${sign(`${kind} ${userId}`)}`;
}

/** Turns off what the link is about. @throws INVALID_NOTICE_LINK */
export async function turnNoticeOff(
  deps: LinkDeps & Pick<Deps, 'clock'>,
  token: string,
): Promise<TurnOffKind> {
  const [kind, userId = '', given = ''] = token.split('.');
  const known = TURN_OFF_KINDS.find((one) => one === kind);
  if (!known || !isUuid(userId)) throw new AppError('INVALID_NOTICE_LINK');
  const sign = await linkSigner(deps);
  if (!equal(given, sign(`${known} ${userId}`))) throw new AppError('INVALID_NOTICE_LINK');
  await setChoices(deps.db, userId, { choices: { [known]: false }, now: deps.clock.now() });
  return known;
}
