import { and, eq, gt, or, type SQL } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { linkTokens, users } from '../schema.ts';
import { ACCOUNT_COLUMNS, type Account } from './users.ts';

/** Owns `link_tokens`: what emailed links may do, and for how long. */

export type NewLink = typeof linkTokens.$inferInsert;
export type LinkPurpose = NewLink['purpose'];

/** A link as somebody uses it. */
export interface UsedLink {
  tokenHash: string;
  purpose: LinkPurpose;
  now: Date;
}

export async function insertLinks(db: Queryable, rows: NewLink[]): Promise<void> {
  if (rows.length > 0) await db.insert(linkTokens).values(rows);
}

/** Stores a link. It replaces the person's others of the same purpose that the same client asked for. */
export async function replaceLinks(db: Queryable, row: NewLink): Promise<void> {
  const { userId, purpose, requestedBy } = row;
  const isByThem = requestedBy ? eq(linkTokens.requestedBy, requestedBy) : undefined;
  await db.delete(linkTokens).where(and(isOf(userId, purpose), isByThem));
  await insertLinks(db, [row]);
}

/** Whom a link that can still be used is about, and their main address. Does not use it. */
export async function findLink(db: Queryable, link: UsedLink) {
  const [row] = await db
    .select({ userId: users.id, email: users.email, subjectId: linkTokens.subjectId })
    .from(linkTokens)
    .innerJoin(users, eq(users.id, linkTokens.userId))
    .where(isUsable(link));
  return row;
}

/**
 * Locks the person whom a link is about, as `lockUser` does. Another call may have used the link
 * meanwhile. So whoever uses it up then deletes or changes a row, and checks that it was still there.
 * @returns undefined if the link is unknown, used or expired
 */
export async function lockUserByLink(
  tx: Queryable,
  link: UsedLink,
): Promise<{ user: Account; subjectId: string | null; sentTo: string | null } | undefined> {
  const { subjectId, sentTo } = linkTokens;
  const [row] = await tx
    .select({ user: ACCOUNT_COLUMNS, subjectId, sentTo })
    .from(users)
    .innerJoin(linkTokens, eq(users.id, linkTokens.userId))
    .where(isUsable(link))
    .for('no key update', { of: users });
  return row;
}

/** Deletes a person's links of this purpose. @returns the hashes of their tokens */
export async function deleteLinks(
  tx: Queryable,
  userId: string,
  purpose: LinkPurpose,
): Promise<string[]> {
  const gone = await tx
    .delete(linkTokens)
    .where(isOf(userId, purpose))
    .returning({ tokenHash: linkTokens.tokenHash });
  return gone.map(({ tokenHash }) => tokenHash);
}

const isOf = (userId: string, purpose: LinkPurpose) =>
  and(eq(linkTokens.userId, userId), eq(linkTokens.purpose, purpose));

function isUsable({ tokenHash, purpose, now }: UsedLink): SQL | undefined {
  return and(
    eq(linkTokens.tokenHash, tokenHash),
    eq(linkTokens.purpose, purpose),
    gt(linkTokens.expiresAt, now),
    isOfAddress(purpose),
  );
}

/** A link that proves an address is worth nothing once that is not the person's any more. */
function isOfAddress(purpose: LinkPurpose): SQL | undefined {
  const isOfMain = eq(linkTokens.sentTo, users.email);
  if (purpose === 'verify') return isOfMain;
  return purpose === 'reset' ? or(isOfMain, eq(linkTokens.sentTo, users.secondEmail)) : undefined;
}
