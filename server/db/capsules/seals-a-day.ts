import { and, count, desc, eq, gt, inArray, min, sql } from 'drizzle-orm';
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

/** Of these recipients, how many capsules the one was sent who was sent the most. */
export async function findSealsToOne(
  db: Queryable,
  { creatorId, since, recipientIds }: Sealed & { recipientIds: string[] },
): Promise<number> {
  const [most] = await db
    .select({ capsules: count() })
    .from(capsules)
    .innerJoin(capsuleRecipients, eq(capsuleRecipients.capsuleId, capsules.id))
    .where(
      and(
        eq(capsules.creatorId, creatorId),
        gt(capsules.createdAt, since),
        inArray(capsuleRecipients.userId, recipientIds),
      ),
    )
    .groupBy(capsuleRecipients.userId)
    .orderBy(desc(count()))
    .limit(1);
  return most?.capsules ?? 0;
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

/** When this person sealed the first capsule since then; `since` if there is none. */
export async function findOldestSeal(db: Queryable, { creatorId, since }: Sealed): Promise<Date> {
  const [row] = await db
    .select({ oldest: min(capsules.createdAt) })
    .from(capsules)
    .where(and(eq(capsules.creatorId, creatorId), gt(capsules.createdAt, since)));
  return row?.oldest ?? since;
}
