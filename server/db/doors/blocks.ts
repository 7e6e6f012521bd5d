import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { hasPassword, type PublicUserRow } from '../accounts/users.ts';
import type { Queryable } from '../open.ts';
import { binnedRecipients, blocks, capsuleRecipients, users } from '../schema.ts';

type Places = typeof capsuleRecipients | typeof binnedRecipients;

/** Who has blocked, and whom. */
export interface Pair {
  userId: string;
  blockedId: string;
}

/**
 * Locks a person who is to be blocked or unblocked, so that they seal nothing meanwhile: a capsule
 * is sealed either before or after. @returns whether they have an account
 */
export async function lockAgainstSealing(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), hasPassword()))
    .for('share');
  return rows.length > 0;
}

export function countBlocked(db: Queryable, userId: string): Promise<number> {
  return db.$count(blocks, eq(blocks.userId, userId));
}

export async function hasBlockedPerson(
  db: Queryable,
  { userId, blockedId }: Pair,
): Promise<boolean> {
  const found = and(eq(blocks.userId, userId), eq(blocks.blockedId, blockedId));
  return (await db.$count(blocks, found)) > 0;
}

export async function insertBlock(tx: Queryable, { userId, blockedId }: Pair, now: Date) {
  await tx.insert(blocks).values({ userId, blockedId, createdAt: now }).onConflictDoNothing();
}

/** Ends a block. What was sealed meanwhile is then received like anything else. */
export async function removeBlock(tx: Queryable, { userId, blockedId }: Pair): Promise<void> {
  await tx.delete(blocks).where(and(eq(blocks.userId, userId), eq(blocks.blockedId, blockedId)));
  for (const places of [capsuleRecipients, binnedRecipients]) {
    await tx
      .update(places)
      .set({ blocked: false, hidden: false })
      .where(and(eq(places.userId, userId), sql`${places.blocked}`, isBy(places, blockedId)));
  }
}

/** Puts away all that a person has received from another one, also what is in that one's bin. */
export async function putAwayFrom(tx: Queryable, { userId, blockedId }: Pair, now: Date) {
  for (const places of [capsuleRecipients, binnedRecipients]) {
    await tx
      .update(places)
      .set({ hidden: true, hiddenAt: now })
      .where(and(eq(places.userId, userId), eq(places.hidden, false), isBy(places, blockedId)));
  }
}

/** Whether the capsules of these places are somebody's, in their bin or not. */
function isBy(places: Places, creatorId: string): SQL {
  return sql`${places.capsuleId} in (select id from capsules where creator_id = ${creatorId}
    union all select capsule_id from binned_capsules where owner_id = ${creatorId})`;
}

/** Whom a person has blocked, the last one first. */
export function findBlocked(
  db: Queryable,
  userId: string,
): Promise<(Pick<PublicUserRow, 'id' | 'name' | 'email' | 'avatarKey'> & { blockedAt: Date })[]> {
  const { id, name, email, avatarKey } = users;
  return db
    .select({ id, name, email, avatarKey, blockedAt: blocks.createdAt })
    .from(blocks)
    .innerJoin(users, eq(users.id, blocks.blockedId))
    .where(eq(blocks.userId, userId))
    .orderBy(desc(blocks.createdAt), desc(blocks.blockedId));
}
