import { and, count, eq, gt, sql } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { capsuleRecipients, capsules } from '../schema.ts';

interface Sealed {
  creatorId: string;
  since: Date;
}

/** How many capsules this person has sealed since then, as part of another statement. */
export function sealedSince({ creatorId, since }: Sealed) {
  const instant = sql.param(since, capsules.createdAt);
  return sql<string>`(
    select count(*) from capsules where creator_id = ${creatorId} and created_at > ${instant})`;
}

/** How many recipients the capsules that this person has sealed since then have together. */
export async function countRecipients(
  db: Queryable,
  { creatorId, since }: Sealed,
): Promise<number> {
  const [row] = await db
    .select({ recipients: count() })
    .from(capsules)
    .innerJoin(capsuleRecipients, eq(capsuleRecipients.capsuleId, capsules.id))
    .where(and(eq(capsules.creatorId, creatorId), gt(capsules.createdAt, since)));
  return row?.recipients ?? 0;
}
