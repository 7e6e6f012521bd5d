import { type SQLWrapper, sql } from 'drizzle-orm';
import { addressHashOf } from '../address-hash.ts';
import type { Queryable } from '../open.ts';

/**
 * What counts besides a person's own capsules: what is in their bin, and what deleted accounts of
 * their address have left to others.
 */
export function unlistedBytesOf(userId: string | SQLWrapper) {
  return sql<string>`(
    (select coalesce(sum(total_bytes + text_bytes), 0) from capsules where departed_address =
      (select ${addressHashOf(sql`email`)} from users where id = ${userId}))
    + (select coalesce(sum(total_bytes + text_bytes), 0)
      from binned_capsules b join capsules c on c.id = b.capsule_id where b.owner_id = ${userId}))`;
}

/**
 * What counts towards a person's storage limit: files and texts of their capsules, also in the bin,
 * uploads, drafts, the letters that others have added, and what was left under their address.
 */
export function usedBytesOf(userId: string) {
  return sql<string>`(
    (select coalesce(sum(total_bytes + text_bytes), 0) from capsules where creator_id = ${userId})
    + (select coalesce(sum(bytes), 0) from uploads where user_id = ${userId})
    + (select coalesce(sum(octet_length(content)), 0) from drafts where user_id = ${userId})
    + (select coalesce(sum(octet_length(letter)), 0) from contributions where user_id = ${userId})
    + ${unlistedBytesOf(userId)})`;
}

/** @returns also the limit of this person alone, in MB; null where the site's applies */
export async function findUsedBytes(
  db: Queryable,
  userId: string,
): Promise<{ usedBytes: number; ownLimitMB: number | null }> {
  const [row] = await db
    .select({ bytes: usedBytesOf(userId), ownLimitMB: ownLimitOf(userId) })
    .from(sql`(values (1)) as one`);
  return { usedBytes: Number(row?.bytes ?? 0), ownLimitMB: row?.ownLimitMB ?? null };
}

/** The storage limit of one person, as part of another statement. */
export function ownLimitOf(userId: string | SQLWrapper) {
  return sql<number | null>`(select storage_limit_mb from users where id = ${userId})`;
}
