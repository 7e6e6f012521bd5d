import type { Blocked } from '../../../shared/api/blocks.ts';
import { BLOCKED_MAX } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { withholdEmails } from '../../db/accounts/emails-about.ts';
import {
  countBlocked,
  findBlocked,
  insertBlock,
  lockAgainstSealing,
  putAwayFrom,
  removeBlock,
} from '../../db/doors/blocks.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';
import { avatarOf } from '../accounts/people.ts';

/** Whom a person has blocked. They never learn of it. */
export async function listBlocked({ db }: Pick<Deps, 'db'>, { userId }: Actor): Promise<Blocked> {
  const people = await findBlocked(db, userId);
  return {
    people: people.map((person) => ({
      id: person.id,
      name: person.name,
      email: person.email,
      avatar: avatarOf(person),
      blockedAt: person.blockedAt.toISOString(),
    })),
  };
}

/**
 * Blocks a person. What they seal from now on has a place for this one that counts nowhere, so that
 * they see no difference; and nothing of theirs is announced any more.
 * @param input.putAway also puts away what was received from them before
 * @throws USER_NOT_FOUND; BLOCK_REFUSED for oneself, and for too many people
 */
export async function blockPerson(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId }: Actor,
  { blockedId, putAway }: { blockedId: string; putAway: boolean },
): Promise<void> {
  if (blockedId.toLowerCase() === userId) throw new AppError('BLOCK_REFUSED');
  if (!isUuid(blockedId)) throw new AppError('USER_NOT_FOUND');
  const pair = { userId, blockedId };
  const now = clock.now();
  await db.transaction(async (tx) => {
    if (!(await lockAgainstSealing(tx, blockedId))) throw new AppError('USER_NOT_FOUND');
    if ((await countBlocked(tx, userId)) >= BLOCKED_MAX) {
      const message = `You've blocked ${BLOCKED_MAX} people. Please unblock somebody first.`;
      throw new AppError('BLOCK_REFUSED', { message });
    }
    await insertBlock(tx, pair, now);
    if (putAway) await putAwayFrom(tx, pair, now);
  });
}

/** Unblocks a person. Nothing happens if they were not blocked. */
export async function unblockPerson(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId }: Actor,
  blockedId: string,
): Promise<void> {
  if (!isUuid(blockedId)) return;
  await db.transaction(async (tx) => {
    await lockAgainstSealing(tx, blockedId);
    await removeBlock(tx, { userId, blockedId });
    await withholdEmails(tx, { userId, blockedId }, clock.now());
  });
}
