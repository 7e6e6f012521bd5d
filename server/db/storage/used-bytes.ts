import { type SQLWrapper, sql } from 'drizzle-orm';
import { MEGABYTE } from '../../../shared/limits.ts';
import { addressHashOf } from '../address-hash.ts';
import type { Queryable } from '../open.ts';

type Who = string | SQLWrapper;

/**
 * What counts besides a person's own capsules: what is in their bin, and what deleted accounts of
 * their address have left to others.
 */
export function unlistedBytesOf(userId: Who) {
  return sql<string>`(
    (select coalesce(sum(total_bytes + text_bytes), 0) from capsules where departed_address =
      (select ${addressHashOf(sql`email`)} from users where id = ${userId}))
    + (select coalesce(sum(total_bytes + text_bytes), 0)
      from binned_capsules b join capsules c on c.id = b.capsule_id where b.owner_id = ${userId}))`;
}

/** What others have written for a person, which nobody wants refused, counts from here on. */
export const LETTERS_FREE_BYTES = 10 * MEGABYTE;

/** Letters that others have added, with the names of their files. */
const lettersOf = (userId: Who) => sql<string>`(
  select coalesce(sum(octet_length(letter) + octet_length(files)), 0)
  from contributions where user_id = ${userId})`;

/** What counts of a person besides capsules: uploads, drafts, and the letters of others. */
export function unsealedBytesOf(userId: Who) {
  return sql<string>`(
    (select coalesce(sum(bytes), 0) from uploads where user_id = ${userId})
    + (select coalesce(sum(octet_length(content)), 0) from drafts where user_id = ${userId})
    + greatest(0, ${lettersOf(userId)} - ${sql.raw(String(LETTERS_FREE_BYTES))}))`;
}

/**
 * What counts towards a person's storage limit: files and texts of their capsules, also in the bin,
 * what is not sealed yet, and what was left under their address.
 */
export function usedBytesOf(userId: string) {
  return sql<string>`(
    (select coalesce(sum(total_bytes + text_bytes), 0) from capsules where creator_id = ${userId})
    + ${unsealedBytesOf(userId)} + ${unlistedBytesOf(userId)})`;
}

/**
 * @returns also the bytes of others' letters, and the limit of this person alone, in MB; null where the
 * site's applies
 */
export async function findUsedBytes(
  db: Queryable,
  userId: string,
): Promise<{ usedBytes: number; letterBytes: number; ownLimitMB: number | null }> {
  const [row] = await db
    .select({
      bytes: usedBytesOf(userId),
      letters: lettersOf(userId),
      ownLimitMB: ownLimitOf(userId),
    })
    .from(sql`(values (1)) as one`);
  return {
    usedBytes: Number(row?.bytes ?? 0),
    letterBytes: Number(row?.letters ?? 0),
    ownLimitMB: row?.ownLimitMB ?? null,
  };
}

/** The storage limit of one person, as part of another statement. */
export function ownLimitOf(userId: Who) {
  return sql<number | null>`(select storage_limit_mb from users where id = ${userId})`;
}
