import { sql, type WithSubquery } from 'drizzle-orm';
import { type FinishedKey, finishedKey } from './capsule-keys.ts';
import type { Queryable } from './open.ts';
import { capsuleFiles, capsuleRecipients, capsules } from './schema.ts';
import { usedBytesOf } from './used-bytes.ts';

export interface SealedRows {
  capsule: typeof capsules.$inferInsert & { creatorId: string };
  /** In the order in which the creator named them. */
  recipientIds: string[];
  files: (typeof capsuleFiles.$inferInsert)[];
  key: FinishedKey | null;
}

/**
 * Writes a capsule and everything that belongs to it, in one statement. @returns the bytes that the
 * creator used before, and whether the request still held its key, if it has one
 */
export async function insertSealed(
  tx: Queryable,
  { capsule, recipientIds, files, key }: SealedRows,
): Promise<{ usedBytes: number; isKeyHeld: boolean }> {
  const { id: capsuleId, creatorId, createdAt, unlockAt, dateToUnlock } = capsule;
  const places = recipientIds.map((userId, position) => ({
    capsuleId,
    userId,
    position,
    createdAt,
    unlockAt,
    dateToUnlock,
  }));
  const one = { one: sql`1`.as('one') };
  const parts: WithSubquery[] = [
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
    .select({ usedBytes: usedBytesOf(creatorId), isKeyHeld })
    .from(sql`(values (1)) as seal`);
  if (!row) throw new Error('One row was selected.');
  return { ...row, usedBytes: Number(row.usedBytes) };
}
