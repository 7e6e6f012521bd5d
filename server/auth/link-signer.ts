import { createHmac } from 'node:crypto';
import type { Queryable } from '../db/open.ts';
import { findSigningKey } from '../db/server-state.ts';
import type { Deps } from '../deps.ts';

/** The key never changes, so each database is asked once. */
const keys = new WeakMap<Queryable, string>();

/**
 * Signs what lasts for years without a row: what a link in an email may do, and which accounts a
 * device is known to. The first word of what is signed says which of them it is.
 */
export async function linkSigner({
  db,
  ids,
}: Pick<Deps, 'db' | 'ids'>): Promise<(what: string) => string> {
  const key = keys.get(db) ?? (await findSigningKey(db, ids.token()));
  keys.set(db, key);
  return (what) => createHmac('sha256', key).update(what).digest('base64url');
}
