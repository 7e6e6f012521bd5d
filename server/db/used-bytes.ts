import { sql } from 'drizzle-orm';
import type { Queryable } from './open.ts';

/** What counts towards a person's storage limit: files and texts of their capsules, and uploads. */
export function usedBytesOf(userId: string) {
  return sql<string>`(
    (select coalesce(sum(total_bytes + text_bytes), 0) from capsules where creator_id = ${userId})
    + (select coalesce(sum(bytes), 0) from uploads where user_id = ${userId}))`;
}

export async function findUsedBytes(db: Queryable, userId: string): Promise<number> {
  const [row] = await db.select({ bytes: usedBytesOf(userId) }).from(sql`(values (1)) as one`);
  return Number(row?.bytes ?? 0);
}
