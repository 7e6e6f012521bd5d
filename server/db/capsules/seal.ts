import { and, eq, inArray, sql, type WithSubquery } from 'drizzle-orm';
import { draftBytesOf } from '../drafts/drafts.ts';
import type { Queryable } from '../open.ts';
import { blocks, capsuleFiles, capsuleRecipients, capsules } from '../schema.ts';
import { usedBytesOf } from '../storage/used-bytes.ts';
import { type FinishedKey, finishedKey } from './capsule-keys.ts';
import { sealedSince } from './seals-a-day.ts';

export interface SealedRows {
  capsule: typeof capsules.$inferInsert & { creatorId: string };
  /** In the order in which the creator named them. */
  recipientIds: string[];
  files: (typeof capsuleFiles.$inferInsert)[];
  key: FinishedKey | null;
  /** From when on the creator's earlier capsules are counted. */
  countedSince: Date;
  /** The draft that it may have been until now. */
  draftId: string | null;
}

export interface Sealed {
  /** What the creator used before. */
  usedBytes: number;
  /** How many capsules the creator had sealed since `countedSince`. */
  sealedBefore: number;
  /** Whether the request still held its key, if it has one. */
  isKeyHeld: boolean;
  /** What that draft counts in it. Null if there is none. */
  draftBytes: number | null;
}

/**
 * Writes a capsule and everything that belongs to it, and reads what decides whether it may stay,
 * in one statement.
 */
export async function insertSealed(
  tx: Queryable,
  { capsule, recipientIds, files, key, countedSince, draftId }: SealedRows,
): Promise<Sealed> {
  const { id: capsuleId, creatorId, createdAt, unlockAt, dateToUnlock } = capsule;
  const isBlocked = (userId: string) => sql`${userId}::uuid in (select user_id from blockers)`;
  const places = recipientIds.map((userId, position) => ({
    capsuleId,
    userId,
    position,
    createdAt,
    unlockAt,
    dateToUnlock,
    isCreator: userId === creatorId,
    hidden: isBlocked(userId),
    blocked: isBlocked(userId),
  }));
  const one = { one: sql`1`.as('one') };
  const blockers = tx
    .select({ userId: blocks.userId })
    .from(blocks)
    .where(and(eq(blocks.blockedId, creatorId), inArray(blocks.userId, recipientIds)));
  const parts: WithSubquery[] = [
    tx.$with('blockers').as(blockers),
    tx.$with('sealed').as(tx.insert(capsules).values(capsule).returning(one)),
    tx.$with('placed').as(tx.insert(capsuleRecipients).values(places).returning(one)),
  ];
  if (files.length > 0) {
    parts.push(tx.$with('filed').as(tx.insert(capsuleFiles).values(files).returning(one)));
  }
  if (key) parts.push(tx.$with('held').as(finishedKey(tx, key).returning(one)));
  const isKeyHeld = key ? sql<boolean>`exists (select 1 from held)` : sql<boolean>`true`;
  const [row] = await tx
    .with(...parts)
    .select({
      usedBytes: usedBytesOf(creatorId),
      sealedBefore: sealedSince({ creatorId, since: countedSince }),
      isKeyHeld,
      draftBytes: draftId ? draftBytesOf({ userId: creatorId, id: draftId }) : sql<null>`null`,
    })
    .from(sql`(values (1)) as seal`);
  if (!row) throw new Error('One row was selected.');
  return {
    isKeyHeld: row.isKeyHeld,
    draftBytes: row.draftBytes,
    usedBytes: Number(row.usedBytes),
    sealedBefore: Number(row.sealedBefore),
  };
}
