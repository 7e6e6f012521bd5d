import { sql } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { capsules } from '../schema.ts';

interface Sealed {
  creatorId: string;
  since: Date;
}

/*
 * Capsules in the bin count, because they can come back. Such a capsule has neither a creator nor
 * recipients in the other tables.
 */

/** How many capsules this person has sealed since then, as part of another statement. */
export function sealedSince({ creatorId, since }: Sealed) {
  const instant = sql.param(since, capsules.createdAt);
  return sql<string>`(
    (select count(*) from capsules where creator_id = ${creatorId} and created_at > ${instant})
    + (select count(*) from binned_capsules b join capsules c on c.id = b.capsule_id
      where b.owner_id = ${creatorId} and c.created_at > ${instant}))`;
}

/** How many recipients the capsules that this person has sealed since then have together. */
export async function countRecipients(
  db: Queryable,
  { creatorId, since }: Sealed,
): Promise<number> {
  const instant = sql.param(since, capsules.createdAt);
  const [row] = await db.execute<{ recipients: string }>(sql`select (
    (select count(*) from capsules c join capsule_recipients r on r.capsule_id = c.id
      where c.creator_id = ${creatorId} and c.created_at > ${instant})
    + (select count(*) from binned_capsules b join capsules c on c.id = b.capsule_id
      join binned_recipients r on r.capsule_id = c.id
      where b.owner_id = ${creatorId} and c.created_at > ${instant})) as recipients`);
  return Number(row?.recipients ?? 0);
}
