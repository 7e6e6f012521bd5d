import { type SQLWrapper, sql } from 'drizzle-orm';

/** Keys the hashes. Stays the same when the database gets a new id for its store. */
export const ADDRESS_KEY = sql<string>`(select coalesce(address_key, store_id)::text from server_state)`;

/** A hash of an address, keyed by the database, so that hashes of elsewhere tell nothing. */
export function addressHashOf(email: string | SQLWrapper) {
  return sql<string>`encode(sha256(convert_to(
    ${ADDRESS_KEY} || ' ' || ${email}, 'UTF8')), 'hex')`;
}
