import type { EmailChoices, TurnOffKind } from '../../../shared/api/email-choices.ts';
import { AppError } from '../../app-error.ts';
import { equal } from '../../auth/equal.ts';
import { linkSigner } from '../../auth/link-signer.ts';
import type { Actor } from '../../auth/sessions.ts';
import {
  type Choices,
  findChoices,
  setChoices,
  TURN_OFF_KINDS,
} from '../../db/emails/email-choices.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';

type LinkDeps = Pick<Deps, 'db' | 'ids'>;

/** The name in the API of the choice about each kind of email. */
const NAMES = {
  'capsule-waiting': 'waiting',
  'capsule-opened': 'opened',
  'capsule-reminder': 'reminder',
  'address-check': 'addressCheck',
} as const satisfies Record<TurnOffKind, keyof EmailChoices>;

export async function getEmailChoices(
  { db }: Pick<Deps, 'db'>,
  { userId }: Actor,
): Promise<EmailChoices> {
  return shown(await findChoices(db, userId));
}

/** What each answer of the question after reading stands for; null asks it. */
const READ = { ask: null, always: true, never: false } as const;

function shown({ unwanted, tellsWhenRead }: Choices): Required<EmailChoices> {
  return {
    read: tellsWhenRead === null ? 'ask' : tellsWhenRead ? 'always' : 'never',
    waiting: !unwanted.includes('capsule-waiting'),
    opened: !unwanted.includes('capsule-opened'),
    reminder: !unwanted.includes('capsule-reminder'),
    addressCheck: !unwanted.includes('address-check'),
  };
}

/** What a caller does not name stays as it is. */
export async function setEmailChoices(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  choices: EmailChoices,
): Promise<EmailChoices> {
  const named = Object.entries(NAMES).map(([kind, name]) => [kind, choices[name]]);
  const tellsWhenRead = choices.read && READ[choices.read];
  const chosen = { choices: Object.fromEntries(named), tellsWhenRead };
  return shown(await setChoices(db, actor.userId, chosen));
}

/**
 * Makes the tokens of links that turn one kind of email off for one person. They need no row and
 * never end. Whoever holds one, perhaps because the email was forwarded, can do nothing else by it.
 */
export async function turnOffTokens(
  deps: LinkDeps,
): Promise<(userId: string, kind: TurnOffKind) => string> {
  const sign = await linkSigner(deps);
  return (userId, kind) => `${kind}.${userId}.${sign(`${kind} ${userId}`)}`;
}

/** Yearly emails of before, whose links turn off the one that has taken their place. */
const YEARLY_BEFORE = ['keepsake', 'still-sealed'];

/** Turns off what the link is about. @throws INVALID_NOTICE_LINK */
export async function turnEmailOff(deps: LinkDeps, token: string): Promise<TurnOffKind> {
  const [kind = '', userId = '', given = ''] = token.split('.');
  const known = YEARLY_BEFORE.includes(kind)
    ? 'address-check'
    : TURN_OFF_KINDS.find((one) => one === kind);
  if (!known || !isUuid(userId)) throw new AppError('INVALID_NOTICE_LINK');
  const sign = await linkSigner(deps);
  if (!equal(given, sign(`${kind} ${userId}`))) throw new AppError('INVALID_NOTICE_LINK');
  await setChoices(deps.db, userId, { choices: { [known]: false } });
  return known;
}
