import type { Person, PublicProfile } from '../../../shared/api/community.ts';
import type { CurrentUser, Recipient } from '../../../shared/api/user.ts';
import { USER_SEARCH_MIN, USER_SEARCH_RESULTS_MAX } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { searchUsers } from '../../db/accounts/search-users.ts';
import {
  ENDED_PASSWORD,
  findPublicUser,
  type OwnRow,
  type PublicUserRow,
  type UserRow,
} from '../../db/accounts/users.ts';
import { countCapsules } from '../../db/capsules/capsules.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';

/** The path of the picture, or the first letter of the name if there is no picture. */
export function avatarOf({ avatarKey, name }: Pick<PublicUserRow, 'avatarKey' | 'name'>): string {
  if (avatarKey) return `/uploads/${avatarKey}`;
  return [...name.trim()][0]?.toUpperCase() ?? '?';
}

export function presentCurrentUser(user: PublicUserRow): CurrentUser {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    bio: user.bio,
    avatar: avatarOf(user),
    createdAt: user.createdAt.toISOString(),
  };
}

/** An account as only its owner sees it, as it signs them in. */
export function presentSignedIn(user: UserRow): CurrentUser {
  const hasNoPassword = user.passwordHash === ENDED_PASSWORD;
  return presentOwn({ ...user, passwordTakesEffectAt: null, hasNoPassword });
}

/** An account as only its owner sees it. */
export function presentOwn({
  emailBouncedAt,
  passwordTakesEffectAt,
  hasNoPassword,
  ...user
}: OwnRow): CurrentUser {
  return {
    ...presentCurrentUser(user),
    ...(emailBouncedAt && { emailBounces: true }),
    ...(passwordTakesEffectAt && { passwordWaitsUntil: passwordTakesEffectAt.toISOString() }),
    ...(hasNoPassword && { hasNoPassword }),
  };
}

/** People to send a capsule to, including the person who searches and those whom they have invited. */
export async function searchRecipients(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  text: string,
): Promise<Recipient[]> {
  if (text.length === 0) return [];
  const rows = await searchUsers(db, text, {
    limit: USER_SEARCH_RESULTS_MAX,
    invitedBy: actor.userId,
    seenBy: actor.userId,
  });
  return rows.map((user) => ({
    id: user.id,
    name: user.name,
    email: user.email,
    avatar: avatarOf(user),
    isYou: user.id === actor.userId,
    isInvited: !user.isAccount,
    ...(!user.isAccount && user.emailBouncedAt && { emailBounces: true }),
  }));
}

/**
 * Other people, for texts of two characters or more. Where addresses have to be confirmed, only
 * confirmed accounts are found.
 */
export async function searchPeople(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  text: string,
): Promise<Person[]> {
  if (text.length < USER_SEARCH_MIN) return [];
  const rows = await searchUsers(db, text, {
    limit: USER_SEARCH_RESULTS_MAX,
    exceptId: actor.userId,
    seenBy: actor.userId,
  });
  return rows.map((user) => ({
    id: user.id,
    userId: user.id,
    name: user.name,
    email: user.email,
    avatar: avatarOf(user),
    createdAt: user.createdAt.toISOString(),
  }));
}

/** @throws USER_NOT_FOUND, also for an unconfirmed account where addresses have to be confirmed */
export async function getPublicProfile(
  { db }: Pick<Deps, 'db'>,
  viewer: Actor | null,
  userId: string,
): Promise<PublicProfile> {
  const user = isUuid(userId) ? await findPublicUser(db, userId) : undefined;
  if (!user) throw new AppError('USER_NOT_FOUND');
  const counts = await countCapsules(db, user.id, { seenBy: viewer?.userId ?? null });
  return {
    ...presentCurrentUser(user),
    createdCapsulesCount: counts.created,
    receivedCapsulesCount: counts.received,
  };
}
