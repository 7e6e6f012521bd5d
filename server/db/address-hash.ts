import { type SQLWrapper, sql } from 'drizzle-orm';

/** A hash of an address, keyed by the database's id, so that hashes of elsewhere tell nothing. */
export function addressHashOf(email: string | SQLWrapper) {
  return sql<string>`encode(sha256(convert_to(
    (select store_id from server_state)::text || ' ' || ${email}, 'UTF8')), 'hex')`;
}
